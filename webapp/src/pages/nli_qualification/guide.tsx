/** What is done in the screening, and the three judgements. */

import { LabelList } from "../../kinds/nli/LabelList";
import { PayAndTries, ScreeningSteps } from "../../screening/guide";
import type { Guide } from "../../work/guide/guide";
import type { QuizTerms } from "./steps";

export function screeningGuide(terms: QuizTerms): Guide {
  return {
    name: "nli_qualification",
    chapters: [
      { title: "The screening", body: <Steps terms={terms} /> },
      { title: "Three judgements", body: <Judgements /> },
      { title: "Your pay and your tries", body: <PayAndTries terms={terms} /> },
    ],
  };
}

function Steps({ terms }: { terms: QuizTerms }) {
  const number = terms.min_attempts === 1 ? "one statement" : `${terms.min_attempts} statements`;
  return (
    <ScreeningSteps
      sample={`You write at least ${number} that an AI judges`}
      steps={
        <>
          <li>
            <strong>Judge statements about texts.</strong> You see examples first. If too many of your judgements are
            wrong, you are told so, and you can try again.
          </li>
          <li>
            <strong>Write statements</strong> that are correct, incorrect or neither, as you are asked.
          </li>
        </>
      }
    />
  );
}

function Judgements() {
  return (
    <>
      <p>A statement about a text is:</p>
      <LabelList />
      <p>Judge by the text and by what everybody knows, and take the text for true. Likely is not definitely.</p>
    </>
  );
}
