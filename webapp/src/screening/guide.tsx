/** What a screening is, what it pays, and what comes after it: the same in every kind of task. */

import type { ReactNode } from "react";

import { dollars } from "../work/money";
import type { QuizTerms } from "./screening";

const AIM = "Learn how the work is done, and show that you can do it.";

/** What stands above every step. */
export function Goal({ terms }: { terms: QuizTerms }) {
  return (
    <p className="goal">
      {AIM}{" "}
      <span className="goal-terms">
        {terms.steps.length} short steps, then a sample HIT. You get {dollars(terms.reward_cents)} for it. If you do
        well, you may take the paid HITs.
      </span>
    </p>
  );
}

interface Props {
  /** What is done in the steps of the quiz: items of the list. */
  steps: ReactNode;
  /** What is done in the sample HIT. */
  sample: string;
}

export function ScreeningSteps({ steps, sample }: Props) {
  return (
    <>
      <p>
        <strong>{AIM}</strong>
      </p>
      <ol className="steps">
        {steps}
        <li>
          <strong>A sample HIT.</strong> {sample}, as in the paid HITs. You need not beat it here.
        </li>
        <li>
          <strong>A person decides</strong> whether you get the qualification, if you get through these steps. Nothing is
          decided by the AI.
        </li>
      </ol>
    </>
  );
}

export function PayAndTries({ terms }: { terms: QuizTerms }) {
  return (
    <>
      <p>
        You get {dollars(terms.reward_cents)} for the screening, whether you pass or not. If you do well, you may take the
        paid HITs.
      </p>
      <p>
        You have {terms.tries_per_step} tries for each step. When they are used up, the screening is over, and you are
        paid for it all the same. Errors of ours never use one up. The screening can be taken once.
      </p>
    </>
  );
}
