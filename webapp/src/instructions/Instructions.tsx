/** A page's instructions: open the first time, then as the worker left them. */

import { type ReactNode, useState } from "react";

import { browserStorage } from "../storage/browserStorage";
import "./instructions.css";

interface Props {
  /** Under which the browser remembers whether they are open. */
  name: string;
  title: string;
  children: ReactNode;
  alwaysOpen?: boolean;
}

export function Instructions({ name, title, children, alwaysOpen = false }: Props) {
  const key = `beat-the-ai:instructions:${name}`;
  const [open, setOpen] = useState(() => alwaysOpen || remembered(key) !== "closed");
  const toggled = (nowOpen: boolean) => {
    setOpen(nowOpen);
    if (!alwaysOpen) {
      remember(key, nowOpen ? "open" : "closed");
    }
  };
  return (
    <details className="instructions card" open={open} onToggle={(event) => toggled(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <div className="instructions-body">{children}</div>
    </details>
  );
}

function remembered(key: string): string | null {
  return browserStorage()?.getItem(key) ?? null;
}

function remember(key: string, value: string): void {
  try {
    browserStorage()?.setItem(key, value);
  } catch {
    // A full storage: they will be open the next time, which does no harm.
  }
}
