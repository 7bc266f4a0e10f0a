/** Where a question is written: its answer first, then its text, and below it how the AI reads that. */

import { type FormEvent, type ReactNode, type RefObject, useEffect, useId } from "react";

import type { Problem } from "../../crowd/packets";
import type { Desk } from "../../pages/page";
import { ProblemNote } from "../../work/fields/ProblemNote";
import { TextField, type TypingWatch } from "../../work/fields/TextField";
import type { Hints } from "../../writing/hints";
import { same } from "../../writing/hints";
import { useHints } from "../../writing/useHints";
import { AnswerChooser } from "./AnswerChooser";
import { EvidencePairs } from "./EvidencePairs";
import { ReadBack } from "./ReadBack";
import type { Shown } from "./guesses";
import { type Brief, type Question, draftOf, lengthOf } from "./terms";
import type { Place } from "./wording";
import { say } from "../../words/say";

interface FormProps {
  desk: Desk | null;
  brief: Brief;
  entry: Question;
  problem: Problem | null;
  frozen: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onEdit: (change: Partial<Question>) => void;
  onSubmit: () => void;
  /** The submit button, and what is said while the model thinks. */
  children: ReactNode;
}

export function QuestionForm({ desk, brief, entry, problem, onEdit, onSubmit, children, ...props }: FormProps) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const choose = (answer: string) => {
    onEdit({ answer });
    if (answer !== "") {
      props.field?.current?.focus();
    }
  };
  return (
    <form className="composer card" onSubmit={submit} noValidate>
      <AnswerChooser
        id={id}
        desk={desk}
        answer={entry.answer}
        wrong={problem?.field === "answer"}
        frozen={props.frozen}
        onChoose={choose}
      />
      <TextField
        {...props}
        id={id}
        name="text"
        label={say("quizbowl.question")}
        placeholder={say("quizbowl.question.placeholder")}
        text={entry.text}
        rows={8}
        count={lengthOf(entry.text, brief)}
        problem={problem}
        disabled={desk === null}
        onText={(text) => onEdit({ text })}
      />
      <ProblemNote id={id} problem={problem} />
      {children}
    </form>
  );
}

interface Props extends FormProps {
  field: RefObject<HTMLTextAreaElement | null>;
  hints: Hints<Question, Shown>;
}

export function Composer({ hints, ...props }: Props) {
  const { brief, entry, frozen, field } = props;
  const { newest } = useHints(hints);
  useEffect(() => hints.edited(frozen ? null : draftOf(entry, brief)), [hints, entry, frozen, brief]);
  useEffect(() => () => hints.edited(null), [hints]);
  const goTo = ({ start, end }: Place) => {
    field.current?.focus();
    field.current?.setSelectionRange(start, end);
  };
  const current = newest !== null && same(newest.draft, entry);
  return (
    <>
      <QuestionForm {...props} />
      {newest !== null && (
        <div className="card read-back-card" data-stale={!current}>
          <ReadBack text={newest.draft.text} shown={newest.shown} onWord={current && !frozen ? goTo : null} />
          <EvidencePairs text={newest.draft.text} shown={newest.shown} />
        </div>
      )}
    </>
  );
}
