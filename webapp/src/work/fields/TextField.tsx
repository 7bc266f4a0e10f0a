/** Where a question, a statement or the like is written. */

import type { RefObject } from "react";

import type { Problem } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import "./fields.css";

/** Whoever counts how the text comes to be. */
export interface TypingWatch {
  pasted: (text: string) => void;
  changed: (inputType: string | undefined) => void;
}

/** What is said of the text's length, and whether it is too much. */
export interface Count {
  words: string;
  over: boolean;
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
  count: Count;
  rows?: number;
  frozen: boolean;
  disabled?: boolean;
  /** There is nothing left to type. */
  done?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onText: (text: string) => void;
}

export function TextField({ id, name, label, placeholder, text, problem, count, rows = 3, ...props }: Props) {
  return (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <textarea
        ref={props.field}
        id={`${id}-${name}`}
        name={name}
        rows={props.done ? 2 : rows}
        {...ofData()}
        spellCheck
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        readOnly={props.frozen}
        disabled={props.disabled}
        aria-invalid={problem?.field === name || count.over}
        aria-describedby={`${id}-count ${id}-problem`}
        onPaste={(event) => props.typing?.pasted(event.clipboardData.getData("text"))}
        onDrop={(event) => props.typing?.pasted(event.dataTransfer.getData("text"))}
        onChange={(event) => {
          props.typing?.changed((event.nativeEvent as InputEvent).inputType);
          props.onText(event.target.value);
        }}
      />
      <p id={`${id}-count`} className="count" data-over={count.over} hidden={props.done}>
        {count.words}
      </p>
    </div>
  );
}

export function characters(text: string, most: number): Count {
  const count = codePointLength(text.trim());
  return { words: say("work.characters", { count, most }), over: count > most };
}
