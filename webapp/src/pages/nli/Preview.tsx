/** What a writer sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { Composer } from "../../kinds/nli/Composer";
import { PlainText } from "../../kinds/nli/PlainText";
import { Probabilities } from "../../kinds/nli/Probabilities";
import { writingGuide } from "../../kinds/nli/guide";
import { type StatementAttempt, readTerms } from "../../kinds/nli/terms";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { Verdict } from "../../writing/Verdict";
import type { PreviewProps } from "../page";

const TEXT =
  "The ferry to Ansay leaves at eight, at noon and at five, except in winter, when the noon crossing is left out. " +
  "Bicycles travel free of charge, dogs pay half, and whoever forgets a ticket may buy one on board from the captain’s " +
  "sister, who also sells soup. In a storm the ferry waits for as long as it takes; last March it waited for three days.";

const TARGET = "contradiction";
const STATEMENT = "Three ferries leave for Ansay on every calm day of the year.";
const PREDICTION: StatementAttempt["prediction"] = {
  label: "entailment",
  probabilities: { entailment: 0.62, neutral: 0.27, contradiction: 0.11 },
};

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to get a text and a target of your own."
      guide={writingGuide({ terms, isChecked: null })}
      reading={<PlainText title="The ferry to Ansay" text={TEXT} />}
    >
      <Composer
        target={TARGET}
        entry={{ hypothesis: STATEMENT }}
        problem={null}
        maxChars={terms.max_hypothesis_chars}
        frozen
        disabled
        onEdit={nothing}
        onSubmit={nothing}
      >
        <DisabledSubmit label="Submit statement" />
      </Composer>
      <Verdict
        fooled
        comesNext="In winter only two leave. You then explain why you are right, and why the AI may be wrong."
        evidence={<Probabilities prediction={PREDICTION} target={TARGET} />}
      />
    </PreviewPage>
  );
}
