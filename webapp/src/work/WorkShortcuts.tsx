import type { Shortcut } from "../design/shortcuts/ShortcutList";
import { ShortcutsDialog } from "../design/shortcuts/ShortcutsDialog";

interface Props {
  /** What Ctrl+Enter does on this page. */
  submits: string;
  /** The page's own. */
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

export function WorkShortcuts({ submits, shortcuts, onClose }: Props) {
  const all: readonly Shortcut[] = [
    [["Ctrl", "Enter"], `${submits} (⌘ Enter on a Mac)`],
    [["Tab"], "Go to the text, and from field to field"],
    ...shortcuts,
  ];
  return <ShortcutsDialog shortcuts={all} onClose={onClose} />;
}
