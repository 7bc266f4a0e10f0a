import type { Shortcut } from "../design/shortcuts/ShortcutList";
import { ShortcutsDialog } from "../design/shortcuts/ShortcutsDialog";
import { say } from "../words/say";

interface Props {
  /** What Ctrl+Enter does on this page. */
  submits: string;
  /** The page's own. */
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

export function WorkShortcuts({ submits, shortcuts, onClose }: Props) {
  const all: readonly Shortcut[] = [
    [["Ctrl", "Enter"], say("work.shortcuts.submit", { action: submits })],
    [["Tab"], say("work.shortcuts.next")],
    ...shortcuts,
  ];
  return <ShortcutsDialog shortcuts={all} onClose={onClose} />;
}
