import type { Shortcut } from "../design/shortcuts/ShortcutList";

/** How an answer is marked by keyboard. */
export const MARKING_SHORTCUTS: readonly Shortcut[] = [
  [["←", "→", "↑", "↓"], "In the passage: move from word to word"],
  [["Space"], "In the passage: start the answer here, and end it"],
  [["Esc"], "In the passage: clear the answer"],
];
