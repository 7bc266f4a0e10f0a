/** One question, and where its answer is settled; the passage beside it marks the same answer. */

import { useId, useMemo } from "react";

import { ItemForm } from "../../checking/ItemForm";
import type { Judging } from "../../checking/kind";
import { MarkedAnswer } from "../../kinds/reading_comprehension/MarkedAnswer";
import { TypedAnswer } from "../../kinds/reading_comprehension/TypedAnswer";
import { tokenise } from "../../passage/tokens";
import { say } from "../../words/say";
import { type AnswerEntry, NO_ANSWER, type Question, answered, unanswerable } from "./answers";

interface Props extends Judging<Question, AnswerEntry> {
  disabled?: boolean;
}

export function QuestionCard(props: Props) {
  const { context, item, entry, problem, frozen, disabled = false, onEdit } = props;
  const id = useId();
  const tokens = useMemo(() => tokenise(context.text), [context]);
  return (
    <ItemForm id={id} judging={props} work="question" text={item.work.question}>
      {entry.cannot ? (
        <p className="no-answer">{say("reading_checking.cannot.said")}</p>
      ) : (
        <MarkedAnswer
          answer={entry.answer}
          frozen={frozen || disabled}
          onClear={() => onEdit(NO_ANSWER)}
        />
      )}
      {!entry.cannot && (
        <TypedAnswer
          id={`${id}-typed`}
          text={context.text}
          tokens={tokens}
          typed={entry.typed}
          answer={entry.answer}
          wrong={problem?.field === "answer"}
          frozen={frozen}
          disabled={disabled}
          onTyped={(typed, answer) => onEdit(answered(answer, typed))}
        />
      )}
      <label className="cannot">
        <input
          type="checkbox"
          checked={entry.cannot}
          disabled={disabled || frozen}
          onChange={(event) => onEdit(unanswerable(event.target.checked))}
        />
        <span>{say("reading_checking.cannot")}</span>
      </label>
    </ItemForm>
  );
}
