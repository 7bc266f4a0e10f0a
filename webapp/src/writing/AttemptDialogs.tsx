/** Taking a question back, reporting a problem, and submitting with fewer wins than wanted: each asks first. */

import { type FormEvent, useState } from "react";

import { Dialog } from "../dialog/Dialog";
import { FLAG_WORDS } from "./AttemptList";
import type { Attempt, FlagReason, Terms } from "./hit";
import { WAITS_FOR_A_PERSON } from "./standing";

interface RetractProps {
  attempt: Attempt;
  onRetract: () => void;
  onClose: () => void;
}

export function RetractDialog({ attempt, onRetract, onClose }: RetractProps) {
  return (
    <Dialog title="Take this question back?" onClose={onClose}>
      <blockquote dir="auto">{attempt.work.question}</blockquote>
      <p>
        If you made a mistake, you can take this question back: it will not be used
        {attempt.fooled && ", and it no longer counts as a win"}. Its try stays used, and this cannot be undone.
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
  attempt: Attempt;
  onFlag: (reason: FlagReason, note: string) => void;
  onClose: () => void;
}

export function FlagDialog({ attempt, onFlag, onClose }: FlagProps) {
  const [reason, setReason] = useState<FlagReason>("ai_was_right");
  const [note, setNote] = useState("");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onFlag(reason, note.trim());
  };
  return (
    <Dialog title="Report a problem" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <blockquote dir="auto">{attempt.work.question}</blockquote>
        <fieldset className="choices">
          <legend>What is wrong?</legend>
          {(Object.keys(FLAG_WORDS) as FlagReason[]).map((name) => (
            <label key={name}>
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              <span>{FLAG_WORDS[name]}</span>
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
  wins: number;
  terms: Terms;
  empty: boolean;
  unsent: boolean;
  onFinish: () => void;
  onClose: () => void;
}

export function FinishDialog({ wins, terms, empty, unsent, onFinish, onClose }: FinishProps) {
  const fewer = wins < terms.wins_wanted;
  return (
    <Dialog title="Submit this HIT?" onClose={onClose}>
      {empty && <p>{WAITS_FOR_A_PERSON}</p>}
      {fewer && !empty && (
        <p>
          You have {wins === 0 ? "no wins" : wins === 1 ? "1 win" : `${wins} wins`} of the {terms.wins_wanted} wanted.
          Fewer are accepted for short passages; giving up never forfeits the base pay.
        </p>
      )}
      {unsent && <p>There is a question in the editor that you have not submitted. It will not be part of this HIT.</p>}
      <div className="actions">
        <button type="button" className="primary" onClick={onFinish}>
          Submit anyway
        </button>
        <button type="button" onClick={onClose}>
          Keep writing
        </button>
      </div>
    </Dialog>
  );
}
