/** The answer typed or pasted; where the passage has it more than once, the worker says which one. */

import { useMemo } from "react";

import { type Occurrence, occurrences } from "../../passage/occurrences";
import type { Span, Token } from "../../passage/tokens";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import "../../work/fields/fields.css";

interface Props {
  id: string;
  text: string;
  tokens: readonly Token[];
  typed: string;
  answer: Span | null;
  wrong: boolean;
  frozen: boolean;
  disabled?: boolean;
  onTyped: (typed: string, answer: Span | null) => void;
}

export function TypedAnswer({ id, text, tokens, typed, answer, wrong, frozen, disabled, onTyped }: Props) {
  const places = useMemo(() => occurrences(text, tokens, typed), [text, tokens, typed]);
  const change = (value: string) => {
    onTyped(value, null); // whatever happens next, the answer to what stood here before is gone
    const [place, another] = occurrences(text, tokens, value);
    if (place && !another) {
      onTyped(value, span(place));
    }
  };
  const missing = typed.trim() !== "" && places.length === 0;
  return (
    <div className="field">
      <label htmlFor={id}>{say("reading.typed")}</label>
      <input
        id={id}
        type="text"
        {...ofData()}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        readOnly={frozen}
        disabled={disabled}
        aria-invalid={wrong || missing}
        aria-describedby={`${id}-places`}
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-places`} className="places-found" role="status">
        {missing && say("reading.typed.missing")}
        {places.length > 1 && answer === null && say("reading.typed.several", { count: places.length })}
      </p>
      {places.length > 1 && (
        <fieldset className="occurrences" disabled={frozen || disabled}>
          <legend className="visually-hidden">{say("reading.typed.which")}</legend>
          {places.map((place) => (
            <label key={place.start} {...ofData()}>
              <input
                type="radio"
                name={id}
                checked={answer?.start === place.start}
                onChange={() => onTyped(typed, span(place))}
              />
              <span>
                {place.before}
                <mark>{place.text}</mark>
                {place.after}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function span({ text, start }: Occurrence): Span {
  return { text, start };
}
