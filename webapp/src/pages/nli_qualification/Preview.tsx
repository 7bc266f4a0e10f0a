/** What a newcomer sees before accepting the HIT. */

import { LabelChoice } from "../../kinds/nli/LabelChoice";
import { PlainText } from "../../kinds/nli/PlainText";
import { lighthouse } from "../../screening/sample";
import { StepPreview } from "../../screening/StepPreview";
import { say } from "../../words/say";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  return (
    <StepPreview
      terms={terms}
      stepNames={STEP_NAMES}
      guide={screeningGuide(terms)}
      reading={<PlainText {...lighthouse()} />}
    >
      <h3>{say("nli_screening.sample.instruction")}</h3>
      <LabelChoice
        name="preview"
        legend={say("nli_screening.sample.statement")}
        label="neutral"
        disabled
        compact
        onLabel={() => undefined}
      />
    </StepPreview>
  );
}
