/** What a HIT of checking pays: the same in every kind of task. */

import type { Chapter } from "../work/guide/guide";
import { dollars } from "../work/money";
import type { Terms } from "./hit";

/** What stands above the work at every HIT. */
export function Goal({ aim, terms }: { aim: string; terms: Terms }) {
  return (
    <p className="goal">
      {aim} <span className="goal-terms">You get {dollars(terms.reward_cents)} for the HIT.</span>
    </p>
  );
}

/** `votes` are what is asked for, and `voted` is what happened to an item: "answers", "answered". */
export function payChapter({ reward_cents }: Terms, votes: string, voted: string): Chapter {
  return {
    title: "Your pay",
    body: (
      <p>
        You get {dollars(reward_cents)} for the HIT, whether your {votes} are the same as other people’s or not. A HIT in
        which nothing was {voted} waits for a person before it is paid.
      </p>
    ),
  };
}
