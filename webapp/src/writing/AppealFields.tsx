/** In the form of a work that is doubted: why it should count all the same. A reviewer reads it. */

import { useEffect, useId, useRef } from "react";

import type { Problem } from "../crowd/packets";
import { APPEAL } from "./work";
import { say } from "../words/say";
import "./appeal.css";

const MOST_CHARS = 1000;

interface Props {
  /** What people call it. */
  work: string;
  text: string;
  problem: Problem | null;
  disabled: boolean;
  onText: (text: string) => void;
  onSend: () => void;
}

export function AppealFields({ work, text, problem, disabled, onText, onSend }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const wrong = problem?.field === APPEAL;
  useEffect(() => {
    if (wrong) {
      field.current?.focus();
    }
  }, [wrong]);
  return (
    <section className="appeal" aria-label={say("writing.appeal")} data-testid="appeal">
      <p>
        {say("writing.appeal.no_try", { work })}
      </p>
      <div className="field">
        <label htmlFor={id}>{say("writing.appeal.why")}</label>
        <textarea
          ref={field}
          id={id}
          rows={2}
          dir="auto"
          required
          maxLength={MOST_CHARS}
          value={text}
          disabled={disabled}
          aria-invalid={wrong}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
      <div className="actions">
        <button type="button" disabled={disabled || text.trim() === ""} onClick={onSend}>
          {say("writing.appeal.send")}
        </button>
      </div>
    </section>
  );
}
