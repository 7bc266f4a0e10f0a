/** Where a question is written and its answer is settled; the passage beside it marks the same answer. */

import { type FormEvent, type ReactNode, type RefObject, useId } from "react";

import type { Problem } from "../crowd/packets";
import type { Span, Token } from "../passage/tokens";
import { MarkedAnswer } from "../work/fields/MarkedAnswer";
import { ProblemNote } from "../work/fields/ProblemNote";
import { QuestionField, type TypingWatch } from "../work/fields/QuestionField";
import { TypedAnswer } from "../work/fields/TypedAnswer";

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
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
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
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form className="composer card" onSubmit={onSubmit} noValidate>
      <QuestionField {...props} id={id} />
      <MarkedAnswer answer={answer} frozen={frozen || disabled} onClear={props.onClear} />
      {!props.done && <TypedAnswer {...props} id={`${id}-typed`} wrong={problem?.field === "answer"} />}
      <ProblemNote id={id} problem={problem} />
      {props.children}
    </form>
  );
}
