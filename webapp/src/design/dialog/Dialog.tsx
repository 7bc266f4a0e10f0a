/** A native modal dialog, open as long as it is rendered. The browser keeps the focus inside and gives it back. */

import { type ReactNode, type Ref, useId, useLayoutEffect, useRef } from "react";
import "./dialog.css";

interface Props {
  title: ReactNode;
  children: ReactNode;
  onClose: () => void;
  className?: string;
  /** The heading, where it takes the focus. */
  heading?: Ref<HTMLHeadingElement>;
}

export function Dialog({ title, children, onClose, className = "", heading }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the element leaves the page: one that is gone from it gives no focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} className={`dialog ${className}`} aria-labelledby={id} onCancel={onClose}>
      <h2 id={id} ref={heading} tabIndex={heading ? -1 : undefined}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export function dialogIsOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
