import { Dialog } from "../design/dialog/Dialog";
import { type Shortcut, ShortcutList } from "../design/shortcuts/ShortcutList";

interface Props {
  /** What Ctrl+Enter does on this page. */
  submits: string;
  /** The page's own. */
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

export function ShortcutsDialog({ submits, shortcuts, onClose }: Props) {
  const all: readonly Shortcut[] = [
    [["Ctrl", "Enter"], `${submits} (⌘ Enter on a Mac)`],
    [["Tab"], "Go to the text, and from field to field"],
    ...shortcuts,
    [["?"], "Show this list"],
  ];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={all} />
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
