/** What a writing HIT is about and what it pays, in words that are the same in every kind of task. */

import type { ReactNode } from "react";

import { amount } from "../work/money";
import { Bonuses } from "./Bonuses";
import type { Terms } from "./hit";
import { say } from "../words/say";

interface Props {
  terms: Terms;
  /** Whether other people check what is written in this HIT; null before there is one. */
  isChecked: boolean | null;
  /** What a HIT asks for and pays, in a sentence. */
  offer: string;
  /** What is written about, as a select of messages has it: "passage". */
  context: string;
  children: ReactNode;
}

/** What stands above the work at every HIT; `children` is the aim. */
export function Goal({ offer, children, ...bonuses }: Props) {
  return (
    <div className="goal">
      <p>
        {children} <span className="goal-terms">{offer}</span>
      </p>
      <Bonuses {...bonuses} />
    </div>
  );
}

/** `work` is what people call a work, as a select of messages has it; `children` says how many tries there are. */
export function Pay({ offer, work, children, ...bonuses }: Props & { work: string }) {
  return (
    <>
      <p>
        <strong>{offer}</strong>
      </p>
      <p>
        {say("writing.pay", { amount: amount(bonuses.terms.reward_cents), work })}
      </p>
      <Bonuses {...bonuses} />
      <p>{children}</p>
    </>
  );
}

/** Where other people check what is written: on every context, on some, or on none. */
export function checked(terms: Terms, isChecked: boolean | null): "all" | "some" | "none" {
  if (terms.checks === "none" || isChecked === false) {
    return "none";
  }
  return terms.checks === "some" && isChecked === null ? "some" : "all";
}
