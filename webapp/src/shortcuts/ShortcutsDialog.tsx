import { Dialog } from "../dialog/Dialog";

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["Ctrl", "Enter"], "Submit the question (⌘ Enter on a Mac)"],
  [["Tab"], "Go to the passage, and from field to field"],
  [["←", "→", "↑", "↓"], "In the passage: move from word to word"],
  [["Space"], "In the passage: start the answer here, and end it"],
  [["Esc"], "In the passage: clear the answer"],
  [["?"], "Show this list"],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {SHORTCUTS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
