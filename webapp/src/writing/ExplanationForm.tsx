/** What a writer says of a win: every field is needed, and all of it is kept once it is saved. */

import { type FormEvent, type Ref, useEffect, useId, useRef, useState } from "react";

import { type Problem, invalid } from "../crowd/packets";
import { ProblemNote } from "../work/fields/ProblemNote";
import { SubmitButton } from "../work/fields/SubmitButton";
import type { Explanation } from "./hit";
import type { ExplanationField } from "./kind";
import { say } from "../words/say";
import "./explanation.css";

const MOST_CHARS = 1000;

interface Props {
  fields: readonly ExplanationField[];
  said: Explanation;
  /** It is what the server has. */
  saved: boolean;
  connected: boolean;
  disabled: boolean;
  form: Ref<HTMLFormElement>;
  onSay: (said: Explanation) => void;
  /** Resolves with what was wrong; null once it is saved. */
  onSave: (said: Explanation) => Promise<Problem | null>;
}

export function ExplanationForm({ fields, said, saved, connected, disabled, form, onSay, onSave }: Props) {
  const id = useId();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const inputs = useRef(new Map<string, HTMLTextAreaElement>());
  useEffect(() => {
    inputs.current.get(problem?.field ?? "")?.focus();
  }, [problem]);

  const send = async () => {
    setSaving(true);
    setProblem(await onSave(trimmed(said)));
    setSaving(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving || saved || disabled) {
      return;
    }
    const missing = fields.find(({ name }) => !said[name]?.trim());
    if (missing) {
      setProblem(invalid(missing.name, say("writing.explain.missing", { question: missing.question })));
    } else {
      void send();
    }
  };
  return (
    <form ref={form} className="explanation" onSubmit={submit} noValidate data-testid="explanation">
      {fields.map(({ name, question, placeholder }) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{question}</label>
          <textarea
            ref={(input) => void (input === null ? inputs.current.delete(name) : inputs.current.set(name, input))}
            id={`${id}-${name}`}
            rows={2}
            dir="auto"
            required
            maxLength={MOST_CHARS}
            placeholder={placeholder}
            value={said[name] ?? ""}
            readOnly={saving}
            disabled={disabled}
            aria-invalid={problem?.field === name}
            aria-describedby={`${id}-problem`}
            onChange={(event) => {
              setProblem(null);
              onSay({ ...said, [name]: event.target.value });
            }}
          />
        </div>
      ))}
      <ProblemNote id={id} problem={problem} />
      <SubmitButton
        label={say(saved ? "writing.explain.saved" : "writing.explain.save")}
        waiting={say("writing.explain.saving")}
        sent={saving}
        connected={connected}
        disabled={disabled}
        isNext={!saved}
        onRetry={() => void send()}
      />
    </form>
  );
}

function trimmed(said: Explanation): Explanation {
  return Object.fromEntries(Object.entries(said).map(([name, text]) => [name, text.trim()]));
}
