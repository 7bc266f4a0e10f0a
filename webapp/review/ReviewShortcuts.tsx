import { useState } from "react";

import type { Shortcut } from "../src/design/shortcuts/ShortcutList";
import { ShortcutsDialog } from "../src/design/shortcuts/ShortcutsDialog";
import { keysAreOn, switchKeys } from "./useKeys";
import "./reviewShortcuts.css";

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
];

export function ReviewShortcuts({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(keysAreOn);
  const change = (to: boolean) => {
    switchKeys(to);
    setOn(to);
  };
  return (
    <ShortcutsDialog shortcuts={SHORTCUTS} onClose={onClose}>
      <label className="switch">
        <input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} />
        Use the single-letter keys
      </label>
    </ShortcutsDialog>
  );
}
