import type { Shortcut } from "../../design/shortcuts/ShortcutList";
import { say } from "../../words/say";
import type { PlayEntry } from "./plays";
import type { Reader } from "./reader";

export const BUZZ_KEY = "b";
export const NEXT_KEY = "n";

export function playingShortcuts(reader: Reader, onEdit: (change: Partial<PlayEntry>) => void): readonly Shortcut[] {
  const buzz = () => {
    const counts = reader.canBuzz();
    if (counts) {
      reader.stop();
      onEdit({ buzzed: true });
    }
    return counts;
  };
  return [
    [[" ", BUZZ_KEY], say("quizbowl_checking.shortcut.buzz"), buzz],
    [[NEXT_KEY], say("quizbowl_checking.shortcut.next"), () => reader.step()],
  ];
}
