/** Where a writer stands with a HIT that few wins end, in words. */

import type { Hit, Terms } from "./hit";
import type { Closing } from "./kind";

const WAITS_FOR_A_PERSON =
  "You have written nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

/** `work` is what people call a work; `begun`: something was done in this HIT before any attempt. */
export function closingOf(hit: Hit, terms: Terms, begun: boolean, work: string): Closing {
  const empty = !begun && hit.attempts.length === 0;
  const won = hit.wins >= terms.wins_wanted;
  const givesUp = !won && !hit.complete;
  const text = empty ? WAITS_FOR_A_PERSON : `You have ${tries(hit)} left. Giving up never forfeits the base pay.`;
  return {
    title: givesUp ? "Or give up" : "Hand in",
    button: givesUp ? "Give up and submit HIT" : "Submit HIT",
    standing: empty ? WAITS_FOR_A_PERSON : standingOf(hit, terms),
    lack: lackOf(hit, terms, work),
    isNext: !givesUp && hit.explanations_missing === 0,
    doubt: givesUp ? { title: "Give up?", text, yes: "Give up" } : null,
  };
}

/** What was done in a HIT, for its end; empty if nothing was. */
export function summaryOf(hit: Hit, work: string): string {
  const count = kept(hit);
  if (count === 0) {
    return "";
  }
  const works = count === 1 ? `one ${work}` : `${count} ${work}s`;
  const wins = hit.wins === 0 ? "without a win" : hit.wins === 1 ? "with one win" : `with ${hit.wins} wins`;
  return `You submitted ${works}, ${wins}.`;
}

function lackOf(hit: Hit, { min_attempts }: Terms, work: string): string | null {
  const missing = Math.max(hit.tries_missing, hit.complete ? 0 : min_attempts - kept(hit));
  if (hit.explanations_missing > 0) {
    return "Please explain your win first: answer both questions above, and save them. Then you can submit the HIT.";
  }
  if (missing > 0) {
    const more = hit.attempts.length > 0 ? " more" : "";
    const works = missing === 1 ? `one${more} ${work}` : `${missing}${more} ${work}s`;
    return `Submit ${works} to the AI, and you can give up. You are paid for trying, even if the AI gets it right.`;
  }
  return null;
}

function standingOf(hit: Hit, terms: Terms): string {
  const wins = hit.wins === 1 ? "You beat the AI." : `You beat the AI ${hit.wins} times.`;
  if (hit.wins >= terms.max_wins) {
    return `${wins} Well done! Please submit the HIT.`;
  }
  if (hit.tries_left === 0) {
    return `${hit.wins > 0 ? wins : "You have used all your tries."} Please submit the HIT; the base pay is yours.`;
  }
  return hit.wins >= terms.wins_wanted
    ? `${wins} You can submit the HIT, or go on to ${terms.max_wins} wins.`
    : `You have ${tries(hit)} left. You can give up at any time: the base pay is yours.`;
}

function tries({ tries_left }: Hit): string {
  return tries_left === 1 ? "one try" : `${tries_left} tries`;
}

function kept({ attempts }: Hit): number {
  return attempts.filter(({ retracted }) => !retracted).length;
}
