/** Every bonus with what it depends on. */

import type { Terms } from "./hit";
import { amount } from "../work/money";
import { say } from "../words/say";
import "./bonuses.css";

interface Props {
  terms: Terms;
  /** Whether other people check what is written in this HIT; null before there is one. */
  isChecked: boolean | null;
  /** What is written about, as a select of messages has it: "passage". */
  context: string;
}

export function Bonuses({ terms, isChecked, context }: Props) {
  const bonuses = terms.bonuses.filter((bonus) => isChecked !== false || !bonus.needs_check);
  if (terms.bonuses.length === 0) {
    return null;
  }
  return (
    <div className="bonuses" data-testid="bonuses">
      {bonuses.length > 0 && (
        <>
          <p>{say("writing.bonuses")}</p>{" "}
          <ul>
            {bonuses.map(({ kind, cents, length }) => (
              <li key={`${kind} ${length}`}>{say(`bonuses.${kind}`, { amount: amount(cents), length })}</li>
            ))}
          </ul>
        </>
      )}
      {bonuses.length < terms.bonuses.length && (
        <p>{say("writing.bonuses.unchecked", { context })}</p>
      )}
    </div>
  );
}
