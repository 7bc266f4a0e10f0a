/** What the header counts: wins, tries and bonuses. */

import { Stat } from "../work/header/WorkHeader";
import { dollars } from "../work/money";
import type { Hit, Terms } from "./hit";

interface Props {
  hit: Hit;
  terms: Terms;
}

export function Wins({ hit: { wins }, terms }: Props) {
  return (
    <Stat label="Wins" testId="wins">
      {wins} <small>of {terms.wins_wanted}</small>
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
    <Stat label="Bonus so far" testId="bonus">
      {dollars(hit.bonus_cents)}{" "}
      <small className="long">
        when you hand in{more > 0 && `, and up to ${dollars(more)} more if others confirm`}
      </small>
    </Stat>
  );
}

/** The try that comes next, of a HIT that few wins end, and the bonus. */
export function TryStats({ hit, terms }: Props) {
  const used = terms.max_tries - hit.tries_left;
  return (
    <>
      <Stat label="Try" testId="try">
        {Math.min(hit.wins < terms.max_wins ? used + 1 : used, terms.max_tries)} <small>of {terms.max_tries}</small>
      </Stat>
      <BonusSoFar hit={hit} terms={terms} />
    </>
  );
}
