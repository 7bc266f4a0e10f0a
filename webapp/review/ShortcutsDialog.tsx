import { useState } from "react";

import { Dialog } from "../src/design/dialog/Dialog";
import { type Shortcut, ShortcutList } from "../src/design/shortcuts/ShortcutList";
import { keysAreOn, switchKeys } from "./useKeys";
import "./shortcutsDialog.css";

const SHORTCUTS: readonly Shortcut[] = [
  [["J"], "Next HIT of this worker"],
  [["K"], "Previous HIT of this worker"],
  [["A"], "Accept the HIT, and go to the next one that waits"],
  [["R"], "Reject the HIT: asks for the reason"],
  [["U"], "Take back the verdict on this HIT, or else the last one that was given"],
  [["1", "…", "9"], "Show this question’s answers in the passage"],
  [["N"], "Next worker whose HITs wait for you"],
  [["Ctrl", "Enter"], "In a dialog: do it"],
  [["Esc"], "Close a dialog"],
  [["?"], "Show this list"],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(keysAreOn);
  const change = (to: boolean) => {
    switchKeys(to);
    setOn(to);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={SHORTCUTS} />
      <label className="switch">
        <input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} />
        Use the single-letter keys
      </label>
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
