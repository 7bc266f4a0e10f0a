/** What is done in the screening, and what is looked for. */

import { PayAndTries, ScreeningSteps } from "../../screening/guide";
import type { Guide } from "../../work/guide/guide";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";
import type { QuizTerms } from "./steps";

export function screeningGuide(terms: QuizTerms): Guide {
  return {
    name: "qualification",
    chapters: [
      { title: say("screening.guide"), body: <Steps terms={terms} /> },
      { title: say("screening.guide.pay"), body: <PayAndTries terms={terms} /> },
      { title: say("reading_screening.guide.standards"), body: <Prose nodes={text("reading_screening_standards")} /> },
    ],
  };
}

function Steps({ terms }: { terms: QuizTerms }) {
  return (
    <ScreeningSteps>
      <li>
        <Say of="reading_screening.guide.steps" />
      </li>
      <li>
        <Say of="reading_screening.guide.sample" args={{ least: terms.min_attempts }} />
      </li>
    </ScreeningSteps>
  );
}
