import { LABELS } from "../../kinds/nli/labels";
import type { Shortcut } from "../../design/shortcuts/ShortcutList";
import type { JudgementEntry } from "./judgements";

/** Labels have the keys from 1 on, in their order. */
export const BAD_KEY = String(LABELS.length + 1);

export function judgingShortcuts(onEdit: (change: JudgementEntry) => void): readonly Shortcut[] {
  return [
    ...LABELS.map(({ label, wording }, index): Shortcut => {
      return [[String(index + 1)], `Choose “${wording}”`, () => onEdit({ choice: label, flag: null })];
    }),
    [[BAD_KEY], "Choose “a bad example”", () => onEdit({ choice: "bad", flag: null })],
  ];
}
