/** One statement, and what a verifier says of it. */

import { useId } from "react";

import { ItemForm } from "../../checking/ItemForm";
import type { Judging } from "../../checking/kind";
import { Icon } from "../../design/icons/Icon";
import { ChoiceCard, LabelChoice } from "../../kinds/nli/LabelChoice";
import { say } from "../../words/say";
import { FLAGS, type JudgementEntry, type Statement } from "./judgements";
import { BAD_KEY } from "./shortcuts";

export function StatementCard(props: Judging<Statement, JudgementEntry> & { disabled?: boolean }) {
  const { item, entry, frozen, disabled = false, onEdit } = props;
  const id = useId();
  const bad = entry.choice === "bad";
  return (
    <ItemForm id={id} judging={props} work="statement" text={item.work.hypothesis}>
      <LabelChoice
        name={id}
        legend={say("nli_checking.legend")}
        label={entry.choice === "bad" ? null : entry.choice}
        disabled={disabled || frozen}
        onLabel={(choice) => onEdit({ choice, flag: null })}
      >
        <ChoiceCard
          name={id}
          checked={bad}
          shortcut={BAD_KEY}
          help={say("nli_checking.bad.help")}
          onChoose={() => onEdit({ choice: "bad" })}
        >
          <span className="label-name">
            <Icon name="flag" />
            {say("nli_checking.bad")}
          </span>
        </ChoiceCard>
      </LabelChoice>
      {bad && (
        <fieldset className="choices" disabled={disabled || frozen}>
          <legend>{say("nli_checking.bad.why")}</legend>
          {FLAGS.map((flag) => (
            <label key={flag}>
              <input type="radio" name={`${id}-flag`} checked={entry.flag === flag} onChange={() => onEdit({ flag })} />
              <span>{say(`nli_checking.bad.${flag}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
    </ItemForm>
  );
}
