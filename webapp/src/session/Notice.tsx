/** A page that says one thing: that something is loading, that there is no work, that all is done. */

import { type ReactNode, useEffect, useRef } from "react";
import "./session.css";

interface Props {
  title: string;
  children?: ReactNode;
  busy?: boolean;
  action?: { name: string; run: () => void };
}

export function Notice({ title, children, busy = false, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [title]);
  return (
    <main className="notice-page">
      <div className="card" role="status">
        {busy && <span className="spinner" aria-hidden="true" />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <p>{children}</p>}
        {action && (
          <button type="button" className="primary" onClick={action.run}>
            {action.name}
          </button>
        )}
      </div>
    </main>
  );
}
