/** Where a statement is written that has the target label. */

import { type FormEvent, type ReactNode, type RefObject, useId } from "react";

import type { Problem } from "../../crowd/packets";
import { ProblemNote } from "../../work/fields/ProblemNote";
import type { TypingWatch } from "../../work/fields/TextField";
import { StatementField } from "./StatementField";
import { Target } from "./Target";
import type { Label } from "./labels";
import type { StatementEntry } from "./terms";

interface Props {
  target: Label;
  entry: StatementEntry;
  problem: Problem | null;
  maxChars: number;
  frozen: boolean;
  disabled?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  typing?: TypingWatch;
  onEdit: (change: Partial<StatementEntry>) => void;
  onSubmit: () => void;
  /** The submit button, and what is said while the model thinks. */
  children: ReactNode;
}

export function Composer({ target, entry, onEdit, onSubmit, children, ...props }: Props) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="composer card" onSubmit={submit} noValidate>
      <Target target={target} />
      <StatementField
        {...props}
        id={id}
        hypothesis={entry.hypothesis}
        onHypothesis={(hypothesis) => onEdit({ hypothesis })}
      />
      <ProblemNote id={id} problem={props.problem} />
      {children}
    </form>
  );
}
