/** What a newcomer sees before accepting the HIT. */

import { QuestionField } from "../../kinds/reading_comprehension/QuestionField";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { Quotation } from "../../screening/Quotation";
import { StepPreview } from "../../screening/StepPreview";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

const SAMPLE_TITLE = "The lighthouse at Grey Point";
const SAMPLE_TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);
const SAMPLE_ANSWER = { text: "162", start: SAMPLE_TEXT.indexOf("162") };

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
          <h3>{SAMPLE_TITLE}</h3>
          <Passage
            text={SAMPLE_TEXT}
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
