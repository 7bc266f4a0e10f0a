import type { ReactNode } from "react";

import { Dialog } from "../dialog/Dialog";
import { type Shortcut, ShortcutList } from "./ShortcutList";

interface Props {
  shortcuts: readonly Shortcut[];
  /** What can be changed about them. */
  children?: ReactNode;
  onClose: () => void;
}

export function ShortcutsDialog({ shortcuts, children, onClose }: Props) {
  const all: readonly Shortcut[] = [...shortcuts, [["?"], "Show this list"]];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={all} />
      {children}
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
