/** The reading on one side, the work on the other; on a phone the work follows the reading. */

import type { ReactNode } from "react";
import "./columns.css";

export function Columns({ reading, children }: { reading: ReactNode; children: ReactNode }) {
  return (
    <div className="columns">
      <div className="reading card">{reading}</div>
      <div className="working">{children}</div>
    </div>
  );
}
