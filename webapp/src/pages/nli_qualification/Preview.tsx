/** What a newcomer sees before accepting the HIT: what the screening is, its steps, and one of them switched off. */

import { LabelChoice } from "../../kinds/nli/LabelChoice";
import { PlainText } from "../../kinds/nli/PlainText";
import { Progress } from "../../screening/Progress";
import { PreviewPage } from "../../work/PreviewPage";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

const TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening.";

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  const steps = [...terms.steps, "sample"].map((kind, index) => ({ id: String(index), kind }));
  return (
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to begin."
      introduction={<Progress steps={steps} names={STEP_NAMES} done={-1} />}
      guide={screeningGuide(terms)}
      reading={<PlainText title="The lighthouse at Grey Point" text={TEXT} />}
    >
      <div className="composer card">
        <h3>Say whether the statement about the text is correct, incorrect or neither.</h3>
        <LabelChoice
          name="preview"
          legend="Ansel Moor was afraid of heights."
          label="neutral"
          disabled
          compact
          onLabel={() => undefined}
        />
        <div className="submit">
          <button type="button" className="primary" disabled>
            Check
          </button>
        </div>
      </div>
    </PreviewPage>
  );
}
