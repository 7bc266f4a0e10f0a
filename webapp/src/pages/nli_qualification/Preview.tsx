/** What a newcomer sees before accepting the HIT. */

import { LabelChoice } from "../../kinds/nli/LabelChoice";
import { PlainText } from "../../kinds/nli/PlainText";
import { StepPreview } from "../../screening/StepPreview";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

const TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening.";

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  return (
    <StepPreview
      terms={terms}
      stepNames={STEP_NAMES}
      guide={screeningGuide(terms)}
      reading={<PlainText title="The lighthouse at Grey Point" text={TEXT} />}
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
