/** A form in a dialog: says what went wrong, and is sent once. Ctrl+Enter sends it from a longer text, too. */

import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from "react";

import { Dialog } from "../src/design/dialog/Dialog";
import { Problem } from "../src/design/problem/Problem";
import { messageOf } from "./api";

interface Props {
  title: string;
  action: string;
  children: ReactNode;
  isDangerous?: boolean;
  onSend: () => Promise<void>;
  onClose: () => void;
}

export function FormDialog({ title, action, children, isDangerous = false, onSend, onClose }: Props) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setProblem("");
    try {
      await onSend();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={press}>
        {children}
        <Problem message={problem} />
        <div className="actions">
          <button type="submit" className={isDangerous ? "danger" : "primary"} disabled={busy}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
