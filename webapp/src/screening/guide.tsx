/** What a screening is, what it pays, and what comes after it: the same in every kind of task. */

import type { ReactNode } from "react";

import { amount } from "../work/money";
import { Say } from "../words/Say";
import { say } from "../words/say";
import type { QuizTerms } from "./screening";

/** What stands above every step. */
export function Goal({ terms: { steps, reward_cents } }: { terms: QuizTerms }) {
  return (
    <p className="goal">
      {say("screening.aim")}{" "}
      <span className="goal-terms">{say("screening.goal", { steps: steps.length, pay: amount(reward_cents) })}</span>
    </p>
  );
}

/** `children` are what is done in the steps of the quiz, and in the sample HIT: items of the list. */
export function ScreeningSteps({ children }: { children: ReactNode }) {
  return (
    <>
      <p>
        <strong>{say("screening.aim")}</strong>
      </p>
      <ol className="steps">
        {children}
        <li>
          <Say of="screening.guide.decision" />
        </li>
      </ol>
    </>
  );
}

export function PayAndTries({ terms }: { terms: QuizTerms }) {
  return (
    <>
      <p>{say("screening.guide.pay.text", { pay: amount(terms.reward_cents) })}</p>
      <p>{say("screening.guide.tries", { tries: terms.tries_per_step })}</p>
    </>
  );
}
