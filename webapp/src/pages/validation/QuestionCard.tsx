/** One question, and where its answer is settled; the passage beside it marks the same answer. */

import { type FormEvent, type ReactNode, type RefObject, useId } from "react";

import type { Problem } from "../../crowd/packets";
import type { Span, Token } from "../../passage/tokens";
import { MarkedAnswer } from "../../work/fields/MarkedAnswer";
import { ProblemNote } from "../../work/fields/ProblemNote";
import { TypedAnswer } from "../../work/fields/TypedAnswer";
import type { Unsaved } from "./work";

interface Props {
  place: number;
  of: number;
  question: string;
  text: string;
  tokens: readonly Token[];
  shown: Unsaved;
  problem: Problem | null;
  frozen: boolean;
  disabled?: boolean;
  heading?: RefObject<HTMLHeadingElement | null>;
  onMarked: (answer: Span | null) => void;
  onTyped: (typed: string, answer: Span | null) => void;
  onCannot: (cannot: boolean) => void;
  onSave: () => void;
  /** The buttons. */
  children: ReactNode;
}

export function QuestionCard(props: Props) {
  const { place, of, question, shown, problem, frozen, disabled = false } = props;
  const id = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSave();
  };
  return (
    <form className="composer card question-card" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-question`}>
      <h2 ref={props.heading} id={`${id}-question`} tabIndex={-1} data-testid="question">
        <span className="question-place">
          Question {place} of {of}
        </span>
        <span className="question-text" dir="auto">
          {question}
        </span>
      </h2>
      {shown.cannot ? (
        <p className="no-answer">You say that the passage does not answer this question.</p>
      ) : (
        <MarkedAnswer answer={shown.answer} frozen={frozen || disabled} onClear={() => props.onMarked(null)} />
      )}
      {!shown.cannot && (
        <TypedAnswer
          id={`${id}-typed`}
          text={props.text}
          tokens={props.tokens}
          typed={shown.typed}
          answer={shown.answer}
          wrong={problem?.field === "answer"}
          frozen={frozen}
          disabled={disabled}
          onTyped={props.onTyped}
        />
      )}
      <label className="cannot">
        <input
          type="checkbox"
          checked={shown.cannot}
          disabled={disabled || frozen}
          onChange={(event) => props.onCannot(event.target.checked)}
        />
        <span>It cannot be answered from the passage</span>
      </label>
      <ProblemNote id={id} problem={problem} />
      {props.children}
    </form>
  );
}
