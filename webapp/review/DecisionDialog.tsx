/** Asks for the reason of a decision, and for a word typed out where it cannot be taken lightly. */

import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { Dialog } from "../src/design/dialog/Dialog";
import { messageOf } from "./api";
import { Problem } from "../src/design/problem/Problem";
import "./decisionDialog.css";

interface Props {
  title: string;
  action: string;
  children?: ReactNode;
  /** Offered as a start; each can be changed before it is sent. */
  reasons?: readonly string[];
  reasonIsOptional?: boolean;
  /** Has to be typed exactly. */
  confirmation?: string;
  onDecide: (reason: string, confirmation: string) => Promise<void>;
  onClose: () => void;
}

export function DecisionDialog({
  title,
  action,
  children,
  reasons = [],
  reasonIsOptional = false,
  confirmation,
  onDecide,
  onClose,
}: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const id = useId();
  const decide = async () => {
    if (!reasonIsOptional && reason.trim() === "") {
      setProblem("Please give a reason.");
      return;
    }
    if (confirmation !== undefined && typed !== confirmation) {
      setProblem(`Please type ${confirmation} exactly.`);
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      await onDecide(reason, typed);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void decide();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void decide();
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={press}>
        {children}
        <div className="field">
          <label htmlFor={`${id}-reason`}>
            Reason{reasonIsOptional && <span className="muted"> (if it needs one)</span>}
          </label>
          <textarea
            id={`${id}-reason`}
            rows={2}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            autoFocus
          />
          {reasons.length > 0 && (
            <div className="reasons" role="group" aria-label="Common reasons">
              {reasons.map((text) => (
                <button key={text} type="button" onClick={() => setReason(text)}>
                  {text}
                </button>
              ))}
            </div>
          )}
        </div>
        {confirmation !== undefined && (
          <div className="field">
            <label htmlFor={`${id}-typed`}>
              Type <code>{confirmation}</code> to confirm
            </label>
            <input
              id={`${id}-typed`}
              type="text"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        <Problem message={problem} />
        <div className="actions">
          <button type="submit" className="primary" disabled={busy}>
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
