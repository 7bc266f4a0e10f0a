/** What a HIT of checking pays: the same in every kind of task. */

import type { Chapter } from "../work/guide/guide";
import { amount } from "../work/money";
import { say } from "../words/say";
import type { Terms } from "./hit";
import type { Work } from "./kind";

/** What stands above the work at every HIT. */
export function Goal({ aim, terms }: { aim: string; terms: Terms }) {
  return (
    <p className="goal">
      {aim} <span className="goal-terms">{say("checking.pay", { pay: amount(terms.reward_cents) })}</span>
    </p>
  );
}

export function payChapter({ reward_cents }: Terms, work: Work): Chapter {
  return {
    title: say("checking.guide.pay"),
    body: <p>{say("checking.guide.pay.text", { work, pay: amount(reward_cents) })}</p>,
  };
}
