/** What a newcomer sees before accepting the HIT. */

import { QuestionField } from "../../kinds/reading_comprehension/QuestionField";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { Quotation } from "../../screening/Quotation";
import { LIGHTHOUSE } from "../../screening/sample";
import { StepPreview } from "../../screening/StepPreview";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

const SAMPLE_TOKENS = tokenise(LIGHTHOUSE.text);
const SAMPLE_ANSWER = { text: "162", start: LIGHTHOUSE.text.indexOf("162") };

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  return (
    <StepPreview
      terms={terms}
      stepNames={STEP_NAMES}
      guide={screeningGuide(terms)}
      reading={
        <>
          <h3>{LIGHTHOUSE.title}</h3>
          <Passage
            text={LIGHTHOUSE.text}
            tokens={SAMPLE_TOKENS}
            marked={rangeOf(SAMPLE_TOKENS, SAMPLE_ANSWER)}
            frozen
            onMark={nothing}
          />
        </>
      }
    >
      <h3>Write a question that the marked answer answers.</h3>
      <Quotation name="The answer" text={SAMPLE_ANSWER.text} />
      <QuestionField
        id="preview"
        question="How many stairs did the keeper climb each night?"
        problem={null}
        maxQuestionChars={terms.max_question_chars}
        frozen
        disabled
        onQuestion={nothing}
      />
    </StepPreview>
  );
}
