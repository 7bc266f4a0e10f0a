/** What a statement may be to a text, in the words of Nie et al. 2020 ("Annotation details"). */

import type { IconName } from "../../design/icons/Icon";
import type { Prediction } from "./records";

export type Label = Prediction["label"];

export interface LabelWords {
  label: Label;
  icon: IconName;
  wording: string;
  /** Where there is little room. */
  short: string;
  /** What it means. */
  help: string;
}

export const LABELS: readonly LabelWords[] = [
  {
    label: "entailment",
    icon: "good",
    wording: "definitely correct",
    short: "definitely correct",
    help: "If the text is true, the statement must be true, too.",
  },
  {
    label: "neutral",
    icon: "open",
    wording: "neither definitely correct nor definitely incorrect",
    short: "neither",
    help: "The statement may be true or not: the text leaves it open.",
  },
  {
    label: "contradiction",
    icon: "bad",
    wording: "definitely incorrect",
    short: "definitely incorrect",
    help: "If the text is true, the statement cannot be true.",
  },
];

export function wordsOf(label: Label): LabelWords {
  return LABELS.find((words) => words.label === label)!;
}

export function isLabel(value: unknown): value is Label {
  return LABELS.some(({ label }) => label === value);
}
