/** One question: it is read until the player buzzes, and then answered, once. */

import { type ReactNode, useEffect, useId, useRef } from "react";

import { ItemForm } from "../../checking/ItemForm";
import type { Judging } from "../../checking/kind";
import "../../work/fields/fields.css";
import { type PlayEntry, type Revealed, isOver } from "./plays";
import { PACES, type Pace } from "./reader";
import { BUZZ_KEY, NEXT_KEY } from "./shortcuts";

export interface Props extends Judging<unknown, PlayEntry> {
  revealed: Revealed | undefined;
  reading: boolean;
  pace: Pace;
  onPace: (pace: Pace) => void;
  onStart: () => void;
  /** The next word, where the player asks for each. */
  onNext: () => void;
  onStop: () => void;
  disabled?: boolean;
}

export function PlayCard(props: Props) {
  const { entry, frozen, done, revealed, reading, disabled = false, onEdit, onStop } = props;
  const id = useId();
  const stop = useRef(onStop);
  useEffect(() => () => stop.current(), []);
  const buzz = () => {
    onStop();
    onEdit({ buzzed: true });
  };
  const over = isOver(entry, revealed);
  const content = (): ReactNode => {
    if (done) {
      return <Said entry={entry} revealed={revealed} />;
    }
    if (reading) {
      return <Buzzer {...props} onBuzz={buzz} />;
    }
    if (!over) {
      return <Opening {...props} name={id} disabled={disabled || frozen} />;
    }
    return <AnswerFields {...props} id={id} disabled={disabled} />;
  };
  return (
    <ItemForm id={id} judging={props} name="question" ready={!reading && (done || over)}>
      {content()}
    </ItemForm>
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

/** There is nothing to buzz at before the first word, and whoever holds a key down has not pressed it again. */
function Buzzer({ revealed, pace, onBuzz, onNext }: Props & { onBuzz: () => void }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const asksForWords = PACES[pace] === null;
  const buzz = (
    <button
      ref={asksForWords ? undefined : first}
      type="button"
      className="primary"
      aria-disabled={revealed === undefined}
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => revealed !== undefined && onBuzz()}
    >
      Buzz
    </button>
  );
  return (
    <div className="buzzer">
      {buzz}
      <p className="key-hint">
        or press <kbd>{BUZZ_KEY}</kbd> {!asksForWords && <>or <kbd>space</kbd></>}
      </p>
      {asksForWords && (
        <button ref={first} type="button" onClick={onNext}>
          Next word <kbd>{NEXT_KEY}</kbd>
        </button>
      )}
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
