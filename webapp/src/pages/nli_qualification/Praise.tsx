/** What is said of a step that was done. */

import { wordsOf } from "../../kinds/nli/labels";
import type { PairTypes, StepResponse } from "./steps";

export function Praise({ response, step }: { response: StepResponse; step: PairTypes["Step"] }) {
  const { labelled_right: right, wrong = [], model_label } = response;
  if (step.kind === "writing") {
    const found = model_label ? ` The AI found your statement ${wordsOf(model_label).wording}.` : "";
    return <p>Thank you!{found}</p>;
  }
  return (
    <>
      <p>
        Well done! {right} of {step.items.length} are right.
        {wrong.length > 0 && ` Look at the ${wrong.length === 1 ? "other one" : "others"} once more:`}
      </p>
      {wrong.length > 0 && (
        <ul className="corrections">
          {wrong.map(({ id, label, why }) => (
            <li key={id} dir="auto">
              <q>{step.items.find((item) => item.id === id)?.hypothesis}</q> You said: {wordsOf(label).short}. {why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
