/**
 * The reading on one side, the work on the other; on a phone the work follows the reading, unless it comes first. Without
 * any reading the work stands alone.
 */

import type { ReactNode } from "react";
import "./columns.css";

interface Props {
  reading: ReactNode;
  workFirst?: boolean | undefined;
  children: ReactNode;
}

export function Columns({ reading, workFirst = false, children }: Props) {
  const aside = reading !== null && <div className="reading card">{reading}</div>;
  return (
    <div className="columns">
      {!workFirst && aside}
      <div className="working">{children}</div>
      {workFirst && aside}
    </div>
  );
}
