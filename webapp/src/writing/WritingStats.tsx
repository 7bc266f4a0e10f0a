/** What the header counts: wins, tries and bonuses. */

import { Stat } from "../work/header/WorkHeader";
import { dollars } from "../work/money";
import type { Hit, Terms } from "./hit";

export function WritingStats({ hit, terms }: { hit: Hit; terms: Terms }) {
  return (
    <>
      <Wins wins={hit.wins} terms={terms} />
      <Stat label="Tries left" testId="tries-left">
        {hit.tries_left}
      </Stat>
      {terms.bonuses.length > 0 && <BonusSoFar hit={hit} />}
    </>
  );
}

/** Nothing that may not be paid: what is sure, and apart from it what others may add. */
function BonusSoFar({ hit }: { hit: Hit }) {
  const more = hit.possible_bonus_cents;
  return (
    <Stat label="Bonus so far" testId="bonus">
      {dollars(hit.bonus_cents)}{" "}
      <small className="long">
        when you hand in{more > 0 && `, and up to ${dollars(more)} more if others confirm`}
      </small>
    </Stat>
  );
}

function Wins({ wins, terms }: { wins: number; terms: Terms }) {
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
