import type { ReactNode } from "react";

import { Dialog } from "../dialog/Dialog";
import { type Shortcut, ShortcutList } from "./ShortcutList";
import { say } from "../../words/say";

interface Props {
  shortcuts: readonly Shortcut[];
  /** What can be changed about them. */
  children?: ReactNode;
  onClose: () => void;
}

export function ShortcutsDialog({ shortcuts, children, onClose }: Props) {
  const all: readonly Shortcut[] = [...shortcuts, [["?"], say("design.shortcuts.list")]];
  return (
    <Dialog title={say("design.shortcuts")} onClose={onClose}>
      <ShortcutList shortcuts={all} />
      {children}
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          {say("design.close")}
        </button>
      </div>
    </Dialog>
  );
}
