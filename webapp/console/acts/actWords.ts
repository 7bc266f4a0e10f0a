/** Acts in words. */

import type { Possible, Words } from "../records";
import { MORE } from "./draft";

export interface ActWords {
  title: string;
  /** What it does. */
  what: string;
  isDangerous?: boolean;
}

export function wordsOf({ action, stage, number }: Possible, words: Words, only = ""): ActWords {
  if (only === MORE) {
    return { title: "More HITs", what: "Offer more HITs of the current round, never fewer." };
  }
  switch (action) {
    case "pause":
      return { title: "Pause", what: "No worker gets a HIT of any stage. Whoever has one finishes it and is paid." };
    case "continue":
      return { title: "Continue", what: "Workers get HITs again." };
    case "add_contexts":
      return { title: `Add ${words.contexts}`, what: `Offer the ${words.contexts} of a file in the current round.` };
    case "change_terms":
      return { title: "Change settings", what: "Change the cap, deadlines, days of keeping, and all that is not fixed yet." };
    case "open_stage":
      return { title: `Open the ${stage}`, what: "Serve it on the server of this page. A stage that has begun is resumed." };
    case "close_stage":
      return {
        title: `Close the ${stage}`,
        what: "For good: nobody gets a HIT of it any more. Whoever has one finishes it and is paid.",
        isDangerous: true,
      };
    case "open_round":
      return { title: `Open round ${number}`, what: "With the terms of the last round, other models and other contexts. Nothing is offered yet." };
    case "freeze_round":
      return { title: `Freeze round ${number}`, what: "Write its data, which change no more. Models are trained on them." };
    case "export":
      return { title: "Export the dataset", what: "Write the dataset in all formats into one file, to download below." };
    case "back_up":
      return { title: "Make a backup", what: "Pack the campaign into one private file in the server's folder for backups." };
    case "train_models":
      return { title: "Train models", what: "Train models on all frozen rounds. This takes time and pays nobody." };
    case "measure_models":
      return { title: "Measure models", what: "Measure all models on the frozen rounds, to choose the next adversary." };
    default:
      return { title: action, what: "" };
  }
}
