/** What a statement may be to a text, in the words of Nie et al. 2020 ("Annotation details"). */

import type { IconName } from "../../design/icons/Icon";
import type { Prediction } from "./records";
import { say } from "../../words/say";

export type Label = Prediction["label"];

/** A label with its words in the language of the page. */
export class LabelWords {
  constructor(
    readonly label: Label,
    readonly icon: IconName,
  ) {}

  get wording(): string {
    return say(`nli.label.${this.label}`);
  }

  /** Where there is little room. */
  get short(): string {
    return say(`nli.label.${this.label}.short`);
  }

  /** What it means. */
  get help(): string {
    return say(`nli.label.${this.label}.help`);
  }
}

export const LABELS: readonly LabelWords[] = [
  new LabelWords("entailment", "good"),
  new LabelWords("neutral", "open"),
  new LabelWords("contradiction", "bad"),
];

export function wordsOf(label: Label): LabelWords {
  return LABELS.find((words) => words.label === label)!;
}

export function isLabel(value: unknown): value is Label {
  return LABELS.some(({ label }) => label === value);
}
