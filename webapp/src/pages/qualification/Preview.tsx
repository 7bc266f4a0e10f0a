/** What a newcomer sees before accepting the HIT. */

import { QuestionField } from "../../kinds/reading_comprehension/QuestionField";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { Quotation } from "../../screening/Quotation";
import { lighthouse } from "../../screening/sample";
import { StepPreview } from "../../screening/StepPreview";
import { say } from "../../words/say";
import type { PreviewProps } from "../page";
import { screeningGuide } from "./guide";
import { STEP_NAMES, readQuizTerms } from "./steps";

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  const { title, text } = lighthouse();
  const tokens = tokenise(text);
  const answer = say("reading_screening.sample.answer");
  return (
    <StepPreview
      terms={terms}
      stepNames={STEP_NAMES}
      guide={screeningGuide(terms)}
      reading={
        <>
          <h3>{title}</h3>
          <Passage
            text={text}
            tokens={tokens}
            marked={rangeOf(tokens, { text: answer, start: text.indexOf(answer) })}
            frozen
            onMark={nothing}
          />
        </>
      }
    >
      <h3>{say("reading_screening.sample.instruction")}</h3>
      <Quotation name={say("reading_screening.answer")} text={answer} />
      <QuestionField
        id="preview"
        question={say("reading_screening.sample.question")}
        problem={null}
        maxQuestionChars={terms.max_question_chars}
        frozen
        disabled
        onQuestion={nothing}
      />
    </StepPreview>
  );
}
