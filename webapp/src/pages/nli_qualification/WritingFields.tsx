/** A text on one side, on the other a statement to write that has the target label. */

import { PlainText } from "../../kinds/nli/PlainText";
import { StatementField } from "../../kinds/nli/StatementField";
import { Target } from "../../kinds/nli/Target";
import { wordsOf } from "../../kinds/nli/labels";
import type { Responding } from "../../screening/kind";
import { Columns } from "../../work/Columns";
import { say } from "../../words/say";
import type { PairTypes, WritingStep } from "./steps";

interface Props extends Responding<PairTypes> {
  step: WritingStep;
  maxChars: number;
}

export function WritingFields({ step, entry, problem, frozen, id, maxChars, ...props }: Props) {
  return (
    <Columns reading={<PlainText {...step.premise} />}>
      <form className="composer card" onSubmit={props.onSubmit} noValidate>
        <h2 ref={props.heading} tabIndex={-1}>
          {say("nli_screening.instruction.writing", { label: wordsOf(step.target).wording })}
        </h2>
        <Target target={step.target} />
        <StatementField
          id={id}
          hypothesis={entry.hypothesis}
          problem={problem}
          maxChars={maxChars}
          frozen={frozen}
          onHypothesis={(hypothesis) => props.onEdit({ hypothesis })}
        />
        {props.ending}
      </form>
      {props.mistakes}
    </Columns>
  );
}
