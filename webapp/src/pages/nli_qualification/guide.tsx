/** What the screening is, what it pays, and what comes after it. */

import { LabelList } from "../../kinds/nli/LabelList";
import type { Guide } from "../../work/guide/guide";
import { dollars } from "../../work/money";
import type { QuizTerms } from "./steps";

const AIM = "Learn how the work is done, and show that you can do it.";

export function Purpose({ terms }: { terms: QuizTerms }) {
  return (
    <p className="goal">
      {AIM}{" "}
      <span className="goal-terms">
        {terms.steps.length} short steps, then a sample HIT. You get {dollars(terms.reward_cents)} for it. Whoever does
        well may go on to the paid HITs.
      </span>
    </p>
  );
}

export function screeningGuide(terms: QuizTerms): Guide {
  return {
    name: "nli_qualification",
    chapters: [
      { title: "The screening", body: <Course terms={terms} /> },
      { title: "Three judgements", body: <Judgements /> },
      { title: "Your pay and your tries", body: <Pay terms={terms} /> },
    ],
  };
}

function Course({ terms }: { terms: QuizTerms }) {
  const number = terms.min_attempts === 1 ? "one statement" : `${terms.min_attempts} statements`;
  return (
    <>
      <p>
        <strong>{AIM}</strong>
      </p>
      <ol className="steps">
        <li>
          <strong>Judge statements about texts.</strong> You see examples first. If too many of your judgements are
          wrong, you are told so, and you can try again.
        </li>
        <li>
          <strong>Write statements</strong> that are correct, incorrect or neither, as you are asked.
        </li>
        <li>
          <strong>A sample HIT.</strong> You write at least {number} that an AI judges, as in the paid HITs. You need not
          beat it here.
        </li>
        <li>
          <strong>A person looks at your work</strong> and decides whether you get the qualification. Nothing is decided
          by the AI.
        </li>
      </ol>
    </>
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

function Pay({ terms }: { terms: QuizTerms }) {
  return (
    <>
      <p>
        You get {dollars(terms.reward_cents)} for the screening, whether you pass or not. Whoever does well may go on to
        the paid HITs.
      </p>
      <p>
        You have {terms.tries_per_step} tries for each step. When they are used up, the screening is over, and you are
        paid for it all the same. Errors of ours never use one up. The screening can be taken once.
      </p>
    </>
  );
}
