import type { Shortcut } from "../../design/shortcuts/ShortcutList";
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
    [[" ", BUZZ_KEY], "Buzz, while a question is read", buzz],
    [[NEXT_KEY], "The next word, at the speed “word by word”", () => reader.step()],
  ];
}
