/** What a writing HIT is about and what it pays, in words that are the same in every kind of task. */

import type { ReactNode } from "react";

import { dollars } from "../work/money";
import { Bonuses } from "./Bonuses";
import type { Terms } from "./hit";

interface Props {
  terms: Terms;
  /** Whether other people check what is written in this HIT; null before there is one. */
  isChecked: boolean | null;
  /** What a HIT asks for and pays, in a sentence. */
  offer: string;
  /** What is checked: "questions on this passage". */
  works: string;
  children: ReactNode;
}

/** What stands above the work at every HIT; `children` is the aim. */
export function Goal({ offer, children, ...checked }: Props) {
  return (
    <div className="goal">
      <p>
        {children} <span className="goal-terms">{offer}</span>
      </p>
      <Bonuses {...checked} />
    </div>
  );
}

/** `done` is what happens to a work: "asked", "written"; `children` says how many tries there are. */
export function Pay({ offer, done, children, ...checked }: Props & { done: string }) {
  return (
    <>
      <p>
        <strong>{offer}</strong>
      </p>
      <p>
        You get {dollars(checked.terms.reward_cents)} whether the AI is fooled or not: giving up never forfeits the base
        pay. A HIT in which nothing was {done} waits for a person before it is paid.
      </p>
      <Bonuses {...checked} />
      <p>{children}</p>
    </>
  );
}

/** Who checks, before the words for what they do: "other people", "on some texts other people"; "" where nobody does. */
export function checkers(terms: Terms, isChecked: boolean | null, contexts: string): string {
  if (terms.checks === "none" || isChecked === false) {
    return "";
  }
  return terms.checks === "some" && isChecked === null ? `on some ${contexts} other people` : "other people";
}
