/** One statement, and what a verifier says of it. */

import { useId } from "react";

import { ItemForm } from "../../checking/ItemForm";
import type { Judging } from "../../checking/kind";
import { Icon } from "../../design/icons/Icon";
import { ChoiceCard, LabelChoice } from "../../kinds/nli/LabelChoice";
import { FLAGS, type Flag, type JudgementEntry, type Statement } from "./judgements";
import { BAD_KEY } from "./shortcuts";

export function StatementCard(props: Judging<Statement, JudgementEntry> & { disabled?: boolean }) {
  const { item, entry, frozen, disabled = false, onEdit } = props;
  const id = useId();
  const bad = entry.choice === "bad";
  return (
    <ItemForm id={id} judging={props} name="statement" text={item.work.hypothesis}>
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
    </ItemForm>
  );
}
