/** Where a question, a statement or the like is written. */

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
  /** As problems name it. */
  name: string;
  label: string;
  placeholder: string;
  text: string;
  problem: Problem | null;
  maxChars: number;
  frozen: boolean;
  disabled?: boolean;
  /** There is nothing left to type. */
  done?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onText: (text: string) => void;
}

export function TextField({ id, name, label, placeholder, text, problem, maxChars, ...props }: Props) {
  const characters = codePointLength(text.trim());
  const tooLong = characters > maxChars;
  return (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <textarea
        ref={props.field}
        id={`${id}-${name}`}
        name={name}
        rows={props.done ? 2 : 3}
        dir="auto"
        spellCheck
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        readOnly={props.frozen}
        disabled={props.disabled}
        aria-invalid={problem?.field === name || tooLong}
        aria-describedby={`${id}-count ${id}-problem`}
        onPaste={(event) => props.typing?.pasted(event.clipboardData.getData("text"))}
        onDrop={(event) => props.typing?.pasted(event.dataTransfer.getData("text"))}
        onChange={(event) => {
          props.typing?.changed((event.nativeEvent as InputEvent).inputType);
          props.onText(event.target.value);
        }}
      />
      <p id={`${id}-count`} className="count" data-over={tooLong} hidden={props.done}>
        {characters} of {maxChars} characters
      </p>
    </div>
  );
}
