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
import { say } from "../../words/say";

const TARGET = "contradiction";
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
      promise={say("nli.promise")}
      guide={writingGuide({ terms, isChecked: null })}
      reading={<PlainText title={say("nli.sample.title")} text={say("nli.sample.text")} />}
    >
      <Composer
        target={TARGET}
        entry={{ hypothesis: say("nli.sample.statement") }}
        problem={null}
        maxChars={terms.max_hypothesis_chars}
        frozen
        disabled
        onEdit={nothing}
        onSubmit={nothing}
      >
        <DisabledSubmit label={say("nli.submit")} />
      </Composer>
      <Verdict
        fooled
        work="statement"
        comesNext={say("nli.sample.next")}
        evidence={<Probabilities prediction={PREDICTION} target={TARGET} />}
      />
    </PreviewPage>
  );
}
