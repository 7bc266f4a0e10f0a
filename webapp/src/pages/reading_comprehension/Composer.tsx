/** Where a question is written and its answer is settled; the passage beside it marks the same answer. */

import { type FormEvent, type ReactNode, type RefObject, useId, useMemo } from "react";

import { Icon } from "../../icons/Icon";
import { codePointLength } from "../../passage/codePoints";
import { type Occurrence, occurrences } from "../../passage/occurrences";
import type { Span, Token } from "../../passage/tokens";
import type { Problem } from "../../crowd/packets";
import type { Typing } from "./typing";

interface Props {
  text: string;
  tokens: readonly Token[];
  question: string;
  answer: Span | null;
  typed: string;
  problem: Problem | null;
  maxQuestionChars: number;
  frozen: boolean;
  disabled?: boolean;
  /** After a win there is nothing left to type. */
  done?: boolean;
  questionField?: RefObject<HTMLTextAreaElement | null>;
  typing?: Typing;
  onQuestion: (question: string) => void;
  onTyped: (typed: string, answer: Span | null) => void;
  onClear: () => void;
  onSubmit: () => void;
  /** The submit button, and what is said while the model thinks. */
  children: ReactNode;
}

export function Composer(props: Props) {
  const { answer, problem, frozen, disabled = false } = props;
  const id = useId();
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form className="composer card" onSubmit={submitted} noValidate>
      <QuestionField {...props} id={id} />
      <MarkedAnswer answer={answer} frozen={frozen || disabled} onClear={props.onClear} />
      {!props.done && <TypedAnswer {...props} id={`${id}-typed`} wrong={problem?.field === "answer"} />}
      <ProblemNote id={id} problem={problem} />
      {props.children}
    </form>
  );
}

type QuestionProps = Pick<
  Props,
  | "question"
  | "problem"
  | "maxQuestionChars"
  | "frozen"
  | "disabled"
  | "done"
  | "questionField"
  | "typing"
  | "onQuestion"
>;

/** `id` is that of the form, whose `ProblemNote` describes the field. */
export function QuestionField({ id, question, problem, maxQuestionChars, ...props }: QuestionProps & { id: string }) {
  const characters = codePointLength(question.trim());
  const tooLong = characters > maxQuestionChars;
  return (
    <div className="field">
      <label htmlFor={`${id}-question`}>Your question</label>
      <textarea
        ref={props.questionField}
        id={`${id}-question`}
        rows={props.done ? 2 : 3}
        dir="auto"
        spellCheck
        autoComplete="off"
        placeholder="Ask something that the passage answers …"
        value={question}
        readOnly={props.frozen}
        disabled={props.disabled}
        aria-invalid={problem?.field === "question" || tooLong}
        aria-describedby={`${id}-count ${id}-problem`}
        onPaste={(event) => props.typing?.pasted(event.clipboardData.getData("text"))}
        onDrop={(event) => props.typing?.pasted(event.dataTransfer.getData("text"))}
        onChange={(event) => {
          props.typing?.changed((event.nativeEvent as InputEvent).inputType);
          props.onQuestion(event.target.value);
        }}
      />
      <p id={`${id}-count`} className="count" data-over={tooLong} hidden={props.done}>
        {characters} of {maxQuestionChars} characters
      </p>
    </div>
  );
}

export function ProblemNote({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <div id={`${id}-problem`} role="alert" className="problem">
      {problem && (
        <p>
          <Icon name="warning" />
          <span>{withWait(problem)}</span>
        </p>
      )}
    </div>
  );
}

function withWait({ message, retry_after_seconds }: Problem): string {
  const seconds = Math.ceil(retry_after_seconds ?? 0);
  return seconds > 0 ? `${message} (Try again in ${seconds} s.)` : message;
}

export function MarkedAnswer({
  answer,
  frozen,
  onClear,
}: {
  answer: Span | null;
  frozen: boolean;
  onClear: () => void;
}) {
  return (
    <div className="field">
      <p className="field-name">Your answer</p>
      {answer === null ? (
        <p className="no-answer">
          <span className="with-mouse">Drag across the words in the passage.</span>
          <span className="with-touch">Tap the first and the last word in the passage.</span>
        </p>
      ) : (
        <div className="answer">
          <q dir="auto" data-testid="answer">
            {answer.text}
          </q>
          {!frozen && (
            <button type="button" className="quiet" onClick={onClear}>
              Clear<span className="visually-hidden"> the answer</span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface TypedProps {
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

export function TypedAnswer({ id, text, tokens, typed, answer, wrong, frozen, disabled, onTyped }: TypedProps) {
  const found = useMemo(() => occurrences(text, tokens, typed), [text, tokens, typed]);
  const changed = (value: string) => {
    const places = occurrences(text, tokens, value);
    onTyped(value, places.length === 1 ? span(places[0]!) : null);
  };
  const missing = typed.trim() !== "" && found.length === 0;
  return (
    <div className="field">
      <label htmlFor={id}>Or type the answer</label>
      <input
        id={id}
        type="text"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        readOnly={frozen}
        disabled={disabled}
        aria-invalid={wrong || missing}
        aria-describedby={`${id}-found`}
        onChange={(event) => changed(event.target.value)}
      />
      <p id={`${id}-found`} className="found" role="status">
        {missing && "The passage does not have these words. Copy them exactly as they stand there."}
        {found.length > 1 && answer === null && `The passage has this ${found.length} times. Which one is the answer?`}
      </p>
      {found.length > 1 && (
        <fieldset className="occurrences" disabled={frozen || disabled}>
          <legend className="visually-hidden">Which one is the answer?</legend>
          {found.map((place) => (
            <label key={place.start} dir="auto">
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
