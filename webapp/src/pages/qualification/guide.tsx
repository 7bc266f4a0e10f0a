/** What the screening is, what it pays, and what comes after it. */

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
    name: "qualification",
    chapters: [
      { title: "The screening", body: <Course terms={terms} /> },
      { title: "Your pay and your tries", body: <Pay terms={terms} /> },
      { title: "What we look for", body: <Standards /> },
    ],
  };
}

function Course({ terms }: { terms: QuizTerms }) {
  return (
    <>
      <p>
        <strong>{AIM}</strong>
      </p>
      <ol className="steps">
        <li>
          <strong>Short steps.</strong> You write questions, and mark answers in a passage. Each step is checked at
          once: if something is wrong, you are told what, and you can try again.
        </li>
        <li>
          <strong>A sample HIT.</strong> You ask an AI at least {terms.min_attempts} questions about a passage, as in
          the paid HITs. You need not beat it here.
        </li>
        <li>
          <strong>A person looks at your work</strong> and decides whether you get the qualification. Nothing is decided
          by the AI.
        </li>
      </ol>
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

function Standards() {
  return (
    <ul className="reasons">
      <li>Whole questions in understandable English, in your own words, with exactly one answer in the passage.</li>
      <li>Answers that are right, and no longer than needed.</li>
    </ul>
  );
}
