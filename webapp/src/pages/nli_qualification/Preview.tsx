/** What a newcomer sees before accepting the HIT. */

import { LabelChoice } from "../../kinds/nli/LabelChoice";
import { PlainText } from "../../kinds/nli/PlainText";
import { LIGHTHOUSE } from "../../screening/sample";
import { StepPreview } from "../../screening/StepPreview";
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
      reading={<PlainText {...LIGHTHOUSE} />}
    >
      <h3>Say whether the statement about the text is correct, incorrect or neither.</h3>
      <LabelChoice
        name="preview"
        legend="Ansel Moor was afraid of heights."
        label="neutral"
        disabled
        compact
        onLabel={() => undefined}
      />
    </StepPreview>
  );
}
