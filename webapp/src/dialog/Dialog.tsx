/** A native modal dialog, open as long as it is rendered. The browser keeps the focus inside and gives it back. */

import { type ReactNode, useEffect, useId, useRef } from "react";
import "./dialog.css";

interface Props {
  title: string;
  children: ReactNode;
  onClose: () => void;
}

export function Dialog({ title, children, onClose }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} className="dialog" aria-labelledby={heading} onCancel={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

export function dialogIsOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
