import type { Shortcut } from "../../work/ShortcutList";
import type { PlayEntry } from "./plays";
import type { Reader } from "./reader";

export const BUZZ_KEY = "b";

export function playingShortcuts(reader: Reader, onEdit: (change: Partial<PlayEntry>) => void): readonly Shortcut[] {
  const buzz = () => {
    if (reader.state().reading !== null) {
      reader.stop();
      onEdit({ buzzed: true });
    }
  };
  return [[[BUZZ_KEY], "Buzz, while a question is read", buzz]];
}
