/** Asks for the reason of a decision, and for a word typed out where it cannot be taken lightly. */

import { type ReactNode, useId, useState } from "react";

import { FormDialog } from "./FormDialog";
import type { RejectionTerms } from "./records";
import { SelectField } from "./SelectField";
import { spelled } from "./words";
import "./decisionDialog.css";

interface Props {
  title: string;
  action: string;
  children?: ReactNode;
  /** Offered as a start; each can be changed before it is sent. */
  reasons?: readonly string[];
  reasonIsOptional?: boolean;
  /** The name of the text that is asked for, if it is no reason. */
  label?: string;
  maxLength?: number;
  /** What the crowd asks for to reject work: then the worker reads the reason. */
  rejections?: RejectionTerms | null;
  /** Has to be typed exactly. */
  confirmation?: string;
  onDecide: (reason: string, confirmation: string, category: string) => Promise<void>;
  onClose: () => void;
}

/** As the server counts: in code points, with white space as one space. */
function lengthOf(text: string): number {
  return [...text.trim().replace(/\s+/g, " ")].length;
}

export function DecisionDialog({
  title,
  action,
  children,
  reasons = [],
  reasonIsOptional = false,
  label = "Reason",
  maxLength = 1000,
  rejections = null,
  confirmation,
  onDecide,
  onClose,
}: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [category, setCategory] = useState("");
  const id = useId();
  const length = lengthOf(reason);
  const decide = async () => {
    if (!reasonIsOptional && reason.trim() === "") {
      throw new Error(label === "Reason" ? "Please give a reason." : "Please write an answer.");
    }
    if (rejections !== null && length < rejections.min_chars) {
      throw new Error(
        `The reason has ${length} characters; at least ${rejections.min_chars} are needed. ` +
          "Say what is missing or wrong: the worker reads it.",
      );
    }
    if (rejections !== null && category === "") {
      throw new Error("Please choose a category.");
    }
    if (confirmation !== undefined && typed !== confirmation) {
      throw new Error(`Please type ${confirmation} exactly.`);
    }
    await onDecide(reason, typed, category);
    onClose();
  };
  return (
    <FormDialog title={title} action={action} onSend={decide} onClose={onClose}>
        {children}
        <div className="field">
          <label htmlFor={`${id}-reason`}>
            {label}
            {reasonIsOptional && <span className="muted"> (if it needs one)</span>}
          </label>
          <textarea
            id={`${id}-reason`}
            rows={rejections === null ? 2 : 5}
            maxLength={rejections?.most_chars ?? maxLength}
            aria-describedby={rejections === null ? undefined : `${id}-length`}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            autoFocus
          />
          {rejections !== null && (
            <p id={`${id}-length`} className="muted small">
              {length} of at least {rejections.min_chars} characters
            </p>
          )}
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
        {rejections !== null && (
          <SelectField
            label="Category"
            value={category}
            none="Choose one"
            options={rejections.categories.map(({ name, words }) => [name, spelled(words)])}
            onChange={setCategory}
          />
        )}
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
    </FormDialog>
  );
}
