/** What is done in the screening, and the three judgements. */

import { LabelList } from "../../kinds/nli/LabelList";
import { PayAndTries, ScreeningSteps } from "../../screening/guide";
import type { Guide } from "../../work/guide/guide";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import type { QuizTerms } from "./steps";

export function screeningGuide(terms: QuizTerms): Guide {
  return {
    name: "nli_qualification",
    chapters: [
      { title: say("screening.guide"), body: <Steps terms={terms} /> },
      { title: say("nli_screening.guide.judgements"), body: <Judgements /> },
      { title: say("screening.guide.pay"), body: <PayAndTries terms={terms} /> },
    ],
  };
}

function Steps({ terms }: { terms: QuizTerms }) {
  return (
    <ScreeningSteps>
      <li>
        <Say of="nli_screening.guide.judge" />
      </li>
      <li>
        <Say of="nli_screening.guide.write" />
      </li>
      <li>
        <Say of="nli_screening.guide.sample" args={{ least: terms.min_attempts }} />
      </li>
    </ScreeningSteps>
  );
}

function Judgements() {
  return (
    <>
      <p>{say("nli_screening.guide.judgements.are")}</p>
      <LabelList />
      <p>{say("nli_screening.guide.judgements.how")}</p>
    </>
  );
}
