/** What a validator sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { PreviewPage } from "../../work/PreviewPage";
import { Stat } from "../../work/header/WorkHeader";
import type { PreviewProps } from "../page";
import { QuestionCard } from "./QuestionCard";
import { validationGuide } from "./guide";
import { readTerms } from "./hit";

const SAMPLE_TITLE = "The clock of Saint Odile";
const SAMPLE_TEXT =
  "The clock of Saint Odile has only one hand. When the other fell into the square during the fair of 1893, the mayor kept " +
  "it as a paperweight, and the baker Anton Reiss, whose shop lay below, rang a bell every quarter of an hour instead. His " +
  "granddaughter still does, though not on Sundays.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);
const SAMPLE_ANSWER = { text: "His granddaughter", start: SAMPLE_TEXT.indexOf("His granddaughter") };

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const questions = terms.works_per_hit;
  return (
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to get questions of your own."
      stats={<Stat label="Questions">up to {questions}</Stat>}
      guide={validationGuide(terms)}
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
      <QuestionCard
        place={1}
        of={questions}
        question="Who sounds the quarter hours today?"
        text={SAMPLE_TEXT}
        tokens={SAMPLE_TOKENS}
        shown={{ answer: SAMPLE_ANSWER, typed: "", cannot: false, answerKey: null }}
        problem={null}
        frozen
        disabled
        onMarked={nothing}
        onTyped={nothing}
        onCannot={nothing}
        onSave={nothing}
      >
        <div className="submit">
          <button type="submit" className="primary" disabled>
            Save answer
          </button>
        </div>
      </QuestionCard>
    </PreviewPage>
  );
}
