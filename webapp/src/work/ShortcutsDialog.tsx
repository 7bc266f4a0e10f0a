import { Dialog } from "../dialog/Dialog";
import { type Shortcut, ShortcutList } from "./ShortcutList";

const SHORTCUTS: readonly Shortcut[] = [
  [["Tab"], "Go to the passage, and from field to field"],
  [["←", "→", "↑", "↓"], "In the passage: move from word to word"],
  [["Space"], "In the passage: start the answer here, and end it"],
  [["Esc"], "In the passage: clear the answer"],
  [["?"], "Show this list"],
];

/** `submits` says what Ctrl+Enter does on this page. */
export function ShortcutsDialog({ submits, onClose }: { submits: string; onClose: () => void }) {
  const shortcuts: readonly Shortcut[] = [[["Ctrl", "Enter"], `${submits} (⌘ Enter on a Mac)`], ...SHORTCUTS];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={shortcuts} />
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
