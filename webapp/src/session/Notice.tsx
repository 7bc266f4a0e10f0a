/** A page that says one thing: that something is loading, that there is no work, that all is done. */

import { type ReactNode, useEffect, useRef, useState } from "react";

import { say } from "../words/say";
import "./session.css";

const SLOW_MS = 8_000;

interface Props {
  title: string;
  children?: ReactNode;
  busy?: boolean;
  action?: { name: string; run: () => void };
  /** Stands below everything else. */
  more?: ReactNode;
}

export function Notice({ title, children, busy = false, action, more }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [title]);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="notice-page">
      <div className="card" role="status">
        {busy && <span className="spinner" aria-hidden="true" />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <p>{children}</p>}
        {busy && slow && !children && <p>{say("session.slow")}</p>}
        {action && (
          <button type="button" className="primary" onClick={action.run}>
            {action.name}
          </button>
        )}
        {more}
      </div>
    </main>
  );
}
