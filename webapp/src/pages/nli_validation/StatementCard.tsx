/** One statement, and what a verifier says of it. */

import { type FormEvent, useId } from "react";

import type { Judging } from "../../checking/kind";
import { Icon } from "../../design/icons/Icon";
import { ChoiceCard, LabelChoice } from "../../kinds/nli/LabelChoice";
import { ProblemNote } from "../../work/fields/ProblemNote";
import { FLAGS, type Flag, type JudgementEntry, type Statement } from "./judgements";
import { BAD_KEY } from "./shortcuts";

export function StatementCard(props: Judging<Statement, JudgementEntry> & { disabled?: boolean }) {
  const { item, place, of, entry, problem, frozen, disabled = false, onEdit } = props;
  const id = useId();
  const bad = entry.choice === "bad";
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSave();
  };
  return (
    <form className="composer card" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-statement`}>
      <h2 ref={props.heading} id={`${id}-statement`} tabIndex={-1} data-testid="statement">
        <span className="item-place">
          Statement {place} of {of}
        </span>
        <span className="item-text" dir="auto">
          {item.work.hypothesis}
        </span>
      </h2>
      <LabelChoice
        name={id}
        legend="By the text, this statement is …"
        label={entry.choice === "bad" ? null : entry.choice}
        disabled={disabled || frozen}
        onLabel={(choice) => onEdit({ choice, flag: null })}
      >
        <ChoiceCard
          name={id}
          checked={bad}
          shortcut={BAD_KEY}
          help="It should have no judgement at all."
          onChoose={() => onEdit({ choice: "bad" })}
        >
          <span className="label-name">
            <Icon name="flag" />a bad example
          </span>
        </ChoiceCard>
      </LabelChoice>
      {bad && (
        <fieldset className="choices" disabled={disabled || frozen}>
          <legend>What is wrong with it?</legend>
          {(Object.keys(FLAGS) as Flag[]).map((flag) => (
            <label key={flag}>
              <input type="radio" name={`${id}-flag`} checked={entry.flag === flag} onChange={() => onEdit({ flag })} />
              <span>{FLAGS[flag]}</span>
            </label>
          ))}
        </fieldset>
      )}
      <ProblemNote id={id} problem={problem} />
      {props.buttons}
    </form>
  );
}
