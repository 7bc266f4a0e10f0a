/** One question: it is read until the player buzzes, and then answered, once. */

import { type ReactNode, useEffect, useId, useRef } from "react";

import { ItemForm } from "../../checking/ItemForm";
import type { Judging } from "../../checking/kind";
import "../../work/fields/fields.css";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { type Plain, say } from "../../words/say";
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

const PACE_WORDS = {
  slow: "quizbowl_checking.pace.slow",
  normal: "quizbowl_checking.pace.normal",
  fast: "quizbowl_checking.pace.fast",
  "word by word": "quizbowl_checking.pace.word",
} as const satisfies Readonly<Record<Pace, Plain>>;

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
    <ItemForm id={id} judging={props} work="question" ready={!reading && (done || over)}>
      {content()}
    </ItemForm>
  );
}

function Opening({ name, revealed, pace, disabled, onPace, onStart }: Props & { name: string }) {
  return (
    <>
      <p>{say("quizbowl_checking.opening")}</p>
      <fieldset className="paces" disabled={disabled}>
        <legend>{say("quizbowl_checking.pace")}</legend>
        {(Object.keys(PACES) as Pace[]).map((each) => (
          <label key={each} className="cannot">
            <input type="radio" name={`${name}-pace`} checked={pace === each} onChange={() => onPace(each)} />
            <span>{say(PACE_WORDS[each])}</span>
          </label>
        ))}
      </fieldset>
      <div className="submit">
        <button type="button" className="primary" disabled={disabled} onClick={onStart}>
          {say(revealed === undefined ? "quizbowl_checking.start" : "quizbowl_checking.read_on")}
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
      {say("quizbowl_checking.buzz")}
    </button>
  );
  return (
    <div className="buzzer">
      {buzz}
      <p className="key-hint">
        <Say of={asksForWords ? "quizbowl_checking.buzz.key" : "quizbowl_checking.buzz.keys"} args={{ key: BUZZ_KEY }} />
      </p>
      {asksForWords && (
        <button ref={first} type="button" onClick={onNext}>
          <Say of="quizbowl_checking.next" args={{ key: NEXT_KEY }} />
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
        {revealed?.ended
          ? say("quizbowl_checking.over")
          : say("quizbowl_checking.buzzed", { words: revealed?.words ?? 0 })}
      </p>
      <div className="field">
        <label htmlFor={`${id}-said`}>{say("quizbowl_checking.answer")}</label>
        <input
          ref={field}
          id={`${id}-said`}
          type="text"
          {...ofData()}
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
        <span>{say("quizbowl_checking.unknown")}</span>
      </label>
    </>
  );
}

function Said({ entry, revealed }: Pick<Props, "entry" | "revealed">) {
  const words = revealed?.words ?? 0;
  return (
    <p className="no-answer">
      {entry.unknown ? (
        say("quizbowl_checking.said.unknown", { words })
      ) : (
        <span>
          <Say of="quizbowl_checking.said" args={{ words, answer: <span {...ofData()}>{entry.said}</span> }} />
        </span>
      )}
    </p>
  );
}
