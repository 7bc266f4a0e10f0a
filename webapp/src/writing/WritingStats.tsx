/** What the header counts: wins, tries and bonuses. */

import { Stat } from "../work/header/WorkHeader";
import { amount } from "../work/money";
import type { Hit, Terms } from "./hit";
import { say } from "../words/say";

interface Props {
  hit: Hit;
  terms: Terms;
}

export function Wins({ hit: { wins }, terms }: Props) {
  return (
    <Stat label={say("writing.wins")} testId="wins">
      {wins} <small>{say("writing.wins.of", { count: terms.wins_wanted })}</small>
      <span className="pips" aria-hidden="true">
        {Array.from({ length: terms.max_wins }, (_, index) => (
          <span key={index} data-won={index < wins} data-wanted={index < terms.wins_wanted} />
        ))}
      </span>
    </Stat>
  );
}

/** Nothing that may not be paid: what is sure, and apart from it what others may add. */
export function BonusSoFar({ hit, terms }: Props) {
  const more = hit.possible_bonus_cents;
  if (terms.bonuses.length === 0) {
    return null;
  }
  return (
    <Stat label={say("writing.bonus")} testId="bonus">
      {amount(hit.bonus_cents)}{" "}
      <small className="long">
        {more > 0 ? say("writing.bonus.more", { amount: amount(more) }) : say("writing.bonus.sure")}
      </small>
    </Stat>
  );
}

/** The try that comes next, of a HIT that few wins end, and the bonus. */
export function TryStats({ hit, terms }: Props) {
  const used = terms.max_tries - hit.tries_left;
  return (
    <>
      <Stat label={say("writing.try")} testId="try">
        {Math.min(hit.wins < terms.max_wins ? used + 1 : used, terms.max_tries)} <small>{say("writing.try.of", { count: terms.max_tries })}</small>
      </Stat>
      <BonusSoFar hit={hit} terms={terms} />
    </>
  );
}
