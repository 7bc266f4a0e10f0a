/** Taking a work back, reporting a problem, and handing in early: each asks first. */

import { type FormEvent, useState } from "react";

import { Dialog } from "../design/dialog/Dialog";
import { flagWords } from "./flags";
import type { FlagReason } from "./hit";
import type { Closing } from "./kind";

/** `text` is what was typed, `work` what people call it. */
interface RetractProps {
  text: string;
  work: string;
  fooled: boolean;
  onRetract: () => void;
  onClose: () => void;
}

export function RetractDialog({ text, work, fooled, onRetract, onClose }: RetractProps) {
  return (
    <Dialog title={`Take this ${work} back?`} onClose={onClose}>
      <blockquote dir="auto">{text}</blockquote>
      <p>
        If you made a mistake, you can take this {work} back: it will not be used
        {fooled && ", and it no longer counts as a win"}. Its try stays used, and this cannot be undone.
      </p>
      <div className="actions">
        <button type="button" className="primary" onClick={onRetract}>
          Take it back
        </button>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

interface FlagProps {
  text: string;
  /** What people call the context. */
  context: string;
  onFlag: (reason: FlagReason, note: string) => void;
  onClose: () => void;
}

export function FlagDialog({ text, context, onFlag, onClose }: FlagProps) {
  const words = flagWords(context);
  const [reason, setReason] = useState<FlagReason>("ai_was_right");
  const [note, setNote] = useState("");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onFlag(reason, note.trim());
  };
  return (
    <Dialog title="Report a problem" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <blockquote dir="auto">{text}</blockquote>
        <fieldset className="choices">
          <legend>What is wrong?</legend>
          {(Object.keys(words) as FlagReason[]).map((name) => (
            <label key={name}>
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              <span>{words[name]}</span>
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor="flag-note">Anything to add? (optional)</label>
          <textarea
            id="flag-note"
            rows={3}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        <p className="small">
          The people who review this batch will read it. It does not change the verdict by itself.
        </p>
        <div className="actions">
          <button type="submit" className="primary">
            Send report
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FinishProps {
  doubt: Closing["doubt"];
  /** What people call what stands in the editor and was never submitted; null if nothing does. */
  unsent: string | null;
  onFinish: () => void;
  onClose: () => void;
}

export function FinishDialog({ doubt, unsent, onFinish, onClose }: FinishProps) {
  return (
    <Dialog title={doubt?.title ?? "Submit this HIT?"} onClose={onClose}>
      {doubt && <p>{doubt.text}</p>}
      {unsent && <p>There is a {unsent} in the editor that you have not submitted. It will not be part of this HIT.</p>}
      <div className="actions">
        <button type="button" className="primary" onClick={onFinish}>
          {doubt?.yes ?? "Submit anyway"}
        </button>
        <button type="button" onClick={onClose}>
          Keep writing
        </button>
      </div>
    </Dialog>
  );
}
