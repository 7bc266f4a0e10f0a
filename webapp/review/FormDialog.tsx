/** A form in a dialog: says what went wrong, and is sent once. Ctrl+Enter sends it from a longer text, too. */

import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

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
  const isSending = useRef(false);
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem !== "") {
      told.current?.scrollIntoView({ block: "nearest" });
    }
  }, [problem]);
  const send = async () => {
    if (isSending.current) {
      return;
    }
    isSending.current = true;
    setBusy(true);
    setProblem("");
    try {
      await onSend();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      isSending.current = false;
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
        <div ref={told}>
          <Problem message={problem} />
        </div>
        <div className="actions">
          {/* A button that is disabled loses the focus. */}
          <button type="submit" className={isDangerous ? "danger" : "primary"} aria-disabled={busy || undefined}>
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
