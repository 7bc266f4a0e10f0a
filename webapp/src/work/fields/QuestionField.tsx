/** Where a question is written. */

import type { RefObject } from "react";

import type { Problem } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import "./fields.css";

/** Whoever counts how the text comes to be. */
export interface TypingWatch {
  pasted: (text: string) => void;
  changed: (inputType: string | undefined) => void;
}

interface Props {
  /** Of the form, whose `ProblemNote` describes the field. */
  id: string;
  question: string;
  problem: Problem | null;
  maxQuestionChars: number;
  frozen: boolean;
  disabled?: boolean;
  /** There is nothing left to type. */
  done?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onQuestion: (question: string) => void;
}

export function QuestionField({ id, question, problem, maxQuestionChars, ...props }: Props) {
  const characters = codePointLength(question.trim());
  const tooLong = characters > maxQuestionChars;
  return (
    <div className="field">
      <label htmlFor={`${id}-question`}>Your question</label>
      <textarea
        ref={props.field}
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
