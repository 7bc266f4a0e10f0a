/** Examples of each label on one side, on the other texts with statements to label. */

import { LabelChoice } from "../../kinds/nli/LabelChoice";
import { LabelledStatements } from "../../kinds/nli/LabelledStatements";
import type { Responding } from "../../screening/kind";
import { Columns } from "../../work/Columns";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import type { LabellingStep, PairTypes } from "./steps";

interface Props extends Responding<PairTypes> {
  step: LabellingStep;
}

export function LabellingFields({ step, entry, frozen, id, ...props }: Props) {
  const { premises, examples, items } = step;
  const about = (premise: string) => (each: { premise: string }) => each.premise === premise;
  return (
    <Columns
      reading={
        <section className="label-examples" aria-label={say("screening.examples")}>
          <h2>{say("screening.examples")}</h2>
          {premises
            .filter(({ id: premise }) => examples.some(about(premise)))
            .map(({ id: premise, text }) => (
              <LabelledStatements key={premise} text={text} statements={examples.filter(about(premise))} />
            ))}
        </section>
      }
    >
      <form className="composer card" onSubmit={props.onSubmit} noValidate>
        <h2 ref={props.heading} tabIndex={-1}>
          {say("nli_screening.instruction.labelling")}
        </h2>
        {premises
          .filter(({ id: premise }) => items.some(about(premise)))
          .map((premise) => (
            <section key={premise.id} className="labelling" aria-labelledby={`${id}-${premise.id}`}>
              <h3 id={`${id}-${premise.id}`} dir="auto">
                {premise.title || say("nli_screening.text")}
              </h3>
              <p className="labelling-text" {...ofData()}>
                {premise.text}
              </p>
              {items.filter(about(premise.id)).map((item) => (
                <LabelChoice
                  key={item.id}
                  name={`${id}-${item.id}`}
                  legend={item.hypothesis}
                  label={entry.labels[item.id] ?? null}
                  disabled={frozen}
                  compact
                  onLabel={(label) => props.onEdit({ labels: { ...entry.labels, [item.id]: label } })}
                />
              ))}
            </section>
          ))}
        {props.ending}
      </form>
      {props.mistakes}
    </Columns>
  );
}
