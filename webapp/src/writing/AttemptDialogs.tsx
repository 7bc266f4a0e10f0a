/** Taking a work back, reporting a problem, and handing in early: each asks first. */

import { type FormEvent, useState } from "react";

import { Dialog } from "../design/dialog/Dialog";
import { flagWords } from "./flags";
import type { FlagReason } from "./hit";
import type { Closing } from "./kind";
import { ofData } from "../words/data";
import { say } from "../words/say";

/** `text` is what was typed, `work` what people call it. */
interface RetractProps {
  text: string;
  work: string;
  fooled: boolean | null;
  onRetract: () => void;
  onClose: () => void;
}

export function RetractDialog({ text, work, fooled, onRetract, onClose }: RetractProps) {
  return (
    <Dialog title={say("writing.retract", { work })} onClose={onClose}>
      <blockquote {...ofData()}>{text}</blockquote>
      <p>
        {say("writing.retract.effect", { work, fooled: fooled ? "yes" : "no" })}
      </p>
      <div className="actions">
        <button type="button" className="primary" onClick={onRetract}>
          {say("writing.retract.yes")}
        </button>
        <button type="button" onClick={onClose}>
          {say("writing.retract.no")}
        </button>
      </div>
    </Dialog>
  );
}

interface FlagProps {
  text: string;
  /** What people call the context. */
  context: string;
  /** The writer knows of no verdict that could be wrong. */
  unseen: boolean;
  onFlag: (reason: FlagReason, note: string) => void;
  onClose: () => void;
}

export function FlagDialog({ text, context, unseen, onFlag, onClose }: FlagProps) {
  const words = flagWords(context);
  const reasons = (Object.keys(words) as FlagReason[]).filter((name) => !unseen || name !== "ai_was_right");
  const [reason, setReason] = useState<FlagReason>(reasons[0]!);
  const [note, setNote] = useState("");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onFlag(reason, note.trim());
  };
  return (
    <Dialog title={say("writing.flag")} onClose={onClose}>
      <form onSubmit={onSubmit}>
        <blockquote {...ofData()}>{text}</blockquote>
        <fieldset className="choices">
          <legend>{say("writing.flag.legend")}</legend>
          {reasons.map((name) => (
            <label key={name}>
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              <span>{words[name]}</span>
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor="flag-note">{say("writing.flag.note")}</label>
          <textarea
            id="flag-note"
            rows={3}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        <p className="small">
          {say("writing.flag.effect")}
        </p>
        <div className="actions">
          <button type="submit" className="primary">
            {say("writing.flag.send")}
          </button>
          <button type="button" onClick={onClose}>
            {say("writing.flag.cancel")}
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
    <Dialog title={doubt?.title ?? say("writing.finish")} onClose={onClose}>
      {doubt && <p>{doubt.text}</p>}
      {unsent && <p>{say("writing.finish.unsent", { work: unsent })}</p>}
      <div className="actions">
        <button type="button" className="primary" onClick={onFinish}>
          {doubt?.yes ?? say("writing.finish.yes")}
        </button>
        <button type="button" onClick={onClose}>
          {say("writing.finish.no")}
        </button>
      </div>
    </Dialog>
  );
}
