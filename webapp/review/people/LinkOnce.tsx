/** A link that is shown this once: nobody can look it up again. */

import { type ReactNode, useId, useRef, useState } from "react";

import { Dialog } from "../../src/design/dialog/Dialog";

interface Props {
  title: string;
  link: string;
  children: ReactNode;
  onClose: () => void;
}

export function LinkOnce({ title, link, children, onClose }: Props) {
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link); // pages without TLS have no clipboard
      setSaid("Copied.");
    } catch {
      setSaid("Selected. Copy it with your keyboard or menu.");
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <div className="field">
        <label htmlFor={id}>Link</label>
        <input ref={field} id={id} type="text" readOnly value={link} onFocus={(event) => event.target.select()} />
        <p className="small">It is shown now and never again.</p>
      </div>
      <p role="status">{said}</p>
      <div className="actions">
        <button type="button" className="primary" onClick={() => void copy()}>
          Copy the link
        </button>
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
