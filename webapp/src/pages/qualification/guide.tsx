/** What is done in the screening, and what is looked for. */

import { PayAndTries, ScreeningSteps } from "../../screening/guide";
import type { Guide } from "../../work/guide/guide";
import type { QuizTerms } from "./steps";

export function screeningGuide(terms: QuizTerms): Guide {
  return {
    name: "qualification",
    chapters: [
      { title: "The screening", body: <Steps terms={terms} /> },
      { title: "Your pay and your tries", body: <PayAndTries terms={terms} /> },
      { title: "What we look for", body: <Standards /> },
    ],
  };
}

function Steps({ terms }: { terms: QuizTerms }) {
  return (
    <ScreeningSteps
      sample={`You ask an AI at least ${terms.min_attempts} questions about a passage`}
      steps={
        <li>
          <strong>Short steps.</strong> You write questions, and mark answers in a passage. Each step is checked at
          once: if something is wrong, you are told what, and you can try again.
        </li>
      }
    />
  );
}

function Standards() {
  return (
    <ul className="reasons">
      <li>Whole questions in understandable English, in your own words, with exactly one answer in the passage.</li>
      <li>Answers that are right, and no longer than needed.</li>
    </ul>
  );
}
