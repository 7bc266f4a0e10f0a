import type { Shortcut } from "../design/shortcuts/ShortcutList";
import { say } from "../words/say";

/** How an answer is marked by keyboard. */
export function markingShortcuts(): readonly Shortcut[] {
  return [
    [["←", "→", "↑", "↓"], say("passage.shortcut.move")],
    [[say("passage.key.space")], say("passage.shortcut.mark")],
    [["Esc"], say("passage.shortcut.clear")],
  ];
}
