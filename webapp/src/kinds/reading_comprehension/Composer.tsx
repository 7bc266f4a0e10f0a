/** Where a question is written and its answer is settled; the passage beside it marks the same answer. */

import { type FormEvent, type ReactNode, type RefObject, useId } from "react";

import type { Problem } from "../../crowd/packets";
import type { Token } from "../../passage/tokens";
import { ProblemNote } from "../../work/fields/ProblemNote";
import type { TypingWatch } from "../../work/fields/TextField";
import { MarkedAnswer } from "./MarkedAnswer";
import { QuestionField } from "./QuestionField";
import { TypedAnswer } from "./TypedAnswer";
import type { QuestionEntry } from "./entry";

interface Props {
  text: string;
  tokens: readonly Token[];
  entry: QuestionEntry;
  problem: Problem | null;
  maxQuestionChars: number;
  frozen: boolean;
  disabled?: boolean;
  /** After a win there is nothing left to type. */
  done?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onEdit: (change: Partial<QuestionEntry>) => void;
  onSubmit: () => void;
  /** The submit button, and what is said while the model thinks. */
  children: ReactNode;
}

export function Composer(props: Props) {
  const { entry, problem, frozen, disabled = false, onEdit } = props;
  const id = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form className="composer card" onSubmit={onSubmit} noValidate>
      <QuestionField
        {...props}
        id={id}
        question={entry.question}
        onQuestion={(question) => onEdit({ question })}
      />
      <MarkedAnswer
        answer={entry.answer}
        frozen={frozen || disabled}
        onClear={() => onEdit({ answer: null, typed: "" })}
      />
      {!props.done && (
        <TypedAnswer
          {...props}
          id={`${id}-typed`}
          typed={entry.typed}
          answer={entry.answer}
          wrong={problem?.field === "answer"}
          onTyped={(typed, answer) => onEdit({ typed, answer })}
        />
      )}
      <ProblemNote id={id} problem={problem} />
      {props.children}
    </form>
  );
}
