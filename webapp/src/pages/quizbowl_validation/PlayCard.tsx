/** One question: it is read until the player buzzes, and then answered, once. */

import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";

import type { Judging } from "../../checking/kind";
import { ProblemNote } from "../../work/fields/ProblemNote";
import "../../work/fields/fields.css";
import type { PlayEntry, Revealed } from "./plays";
import { PACES, type Pace } from "./reader";
import { BUZZ_KEY } from "./shortcuts";

export interface Props extends Judging<unknown, PlayEntry> {
  revealed: Revealed | undefined;
  reading: boolean;
  pace: Pace;
  onPace: (pace: Pace) => void;
  onStart: () => void;
  onStop: () => void;
  disabled?: boolean;
}

export function PlayCard(props: Props) {
  const { place, of, entry, problem, frozen, done, revealed, reading, disabled = false, onEdit, onStop } = props;
  const id = useId();
  const stop = useRef(onStop);
  useEffect(() => () => stop.current(), []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSave();
  };
  const buzz = () => {
    onStop();
    onEdit({ buzzed: true });
  };
  const content = (): ReactNode => {
    if (done) {
      return <Said entry={entry} revealed={revealed} />;
    }
    if (reading) {
      return <Buzzer onBuzz={buzz} disabled={disabled} />;
    }
    if (!entry.buzzed && !revealed?.ended) {
      return <Opening {...props} name={id} disabled={disabled || frozen} />;
    }
    return <AnswerFields {...props} id={id} disabled={disabled} />;
  };
  const answering = !reading && (done || entry.buzzed || revealed?.ended === true);
  return (
    <form className="composer card" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-question`}>
      <h2 ref={props.heading} id={`${id}-question`} tabIndex={-1} data-testid="question">
        Question {place} of {of}
      </h2>
      {content()}
      <ProblemNote id={id} problem={problem} />
      {answering && props.buttons}
    </form>
  );
}

function Opening({ name, revealed, pace, disabled, onPace, onStart }: Props & { name: string }) {
  return (
    <>
      <p>It is read word by word. Buzz as soon as you know the answer: you have one, and then the reading stops.</p>
      <fieldset className="paces" disabled={disabled}>
        <legend>Reading speed</legend>
        {(Object.keys(PACES) as Pace[]).map((each) => (
          <label key={each} className="cannot">
            <input type="radio" name={`${name}-pace`} checked={pace === each} onChange={() => onPace(each)} />
            <span>{each}</span>
          </label>
        ))}
      </fieldset>
      <div className="submit">
        <button type="button" className="primary" disabled={disabled} onClick={onStart}>
          {revealed === undefined ? "Start reading" : "Read on"}
        </button>
      </div>
    </>
  );
}

function Buzzer({ onBuzz, disabled }: { onBuzz: () => void; disabled: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="buzzer">
      <button ref={button} type="button" className="primary" disabled={disabled} onClick={onBuzz}>
        Buzz
      </button>
      <p className="key-hint">
        or press <kbd>space</kbd> or <kbd>{BUZZ_KEY}</kbd>
      </p>
    </div>
  );
}

function AnswerFields({ id, entry, problem, frozen, disabled, revealed, onEdit }: Props & { id: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!disabled) {
      field.current?.focus();
    }
  }, [disabled]);
  return (
    <>
      <p role="status">
        {revealed?.ended ? "The question is over." : `You buzzed after ${counted(revealed?.words ?? 0)}.`}
      </p>
      <div className="field">
        <label htmlFor={`${id}-said`}>Your answer</label>
        <input
          ref={field}
          id={`${id}-said`}
          type="text"
          dir="auto"
          autoComplete="off"
          value={entry.said}
          readOnly={frozen}
          disabled={disabled || entry.unknown}
          aria-invalid={problem?.field === "said"}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onEdit({ said: event.target.value })}
        />
      </div>
      <label className="cannot">
        <input
          type="checkbox"
          checked={entry.unknown}
          disabled={disabled || frozen}
          onChange={(event) => onEdit({ unknown: event.target.checked })}
        />
        <span>I do not know it</span>
      </label>
    </>
  );
}

function Said({ entry, revealed }: Pick<Props, "entry" | "revealed">) {
  const when = `after ${counted(revealed?.words ?? 0)}`;
  return (
    <p className="no-answer">
      <span dir="auto">{entry.unknown ? `You did not know it ${when}.` : `You said “${entry.said}” ${when}.`}</span>
    </p>
  );
}

function counted(words: number): string {
  return words === 1 ? "one word" : `${words} words`;
}
