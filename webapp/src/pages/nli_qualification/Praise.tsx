/** What is said of a step that was done. */

import type { ReactNode } from "react";

import { wordsOf } from "../../kinds/nli/labels";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import type { PairTypes, StepResponse } from "./steps";

export function Praise({ response, step }: { response: StepResponse; step: PairTypes["Step"] }) {
  const { labelled_right: right = 0, wrong = [], model_label } = response;
  if (step.kind === "writing") {
    return <p>{say("nli_screening.praise", { label: model_label ?? "none" })}</p>;
  }
  const statement = (item: string) => step.items.find(({ id }) => id === item)?.hypothesis;
  return (
    <>
      <p>{say("nli_screening.praise.right", { right, count: step.items.length, wrong: wrong.length })}</p>
      {wrong.length > 0 && (
        <ul className="corrections">
          {wrong.map(({ id, label, why }) => (
            <li key={id}>
              <Say
                of="nli_screening.correction"
                args={{ statement: statement(id), label: wordsOf(label).short, why: <span dir="auto">{why}</span> }}
                tags={{ q: quoted }}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function quoted(text: ReactNode[]): ReactNode {
  return <q {...ofData()}>{text}</q>;
}
