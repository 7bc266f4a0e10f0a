import { LABELS } from "../../kinds/nli/labels";
import type { Shortcut } from "../../design/shortcuts/ShortcutList";
import { say } from "../../words/say";
import type { JudgementEntry } from "./judgements";

/** Labels have the keys from 1 on, in their order. */
export const BAD_KEY = String(LABELS.length + 1);

export function judgingShortcuts(onEdit: (change: JudgementEntry) => void): readonly Shortcut[] {
  return [
    ...LABELS.map(({ label, wording }, index): Shortcut => {
      return [[String(index + 1)], say("nli_checking.shortcut", { label: wording }), () => onEdit({ choice: label, flag: null })];
    }),
    [[BAD_KEY], say("nli_checking.shortcut.bad"), () => onEdit({ choice: "bad", flag: null })],
  ];
}
