/** Where a writer stands with a HIT, in words. */

import type { Hit } from "../../writing/hit";
import type { QuestionTerms } from "./terms";

export const WAITS_FOR_A_PERSON =
  "You have asked nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

/** Why the HIT cannot be handed in yet, and what to do; null when it can be. */
export function lackOf(hit: Hit, { min_attempts }: QuestionTerms): string | null {
  if (hit.complete) {
    return null;
  }
  const count = hit.attempts.filter((attempt) => !attempt.retracted).length;
  if (hit.tries_missing > 0) {
    const more = hit.attempts.length > 0 ? " more" : "";
    const questions = hit.tries_missing === 1 ? `one${more} question` : `${hit.tries_missing}${more} questions`;
    return `Ask the AI ${questions}, and you can submit the HIT. You are paid for trying, even if the AI gets it right.`;
  }
  return count < min_attempts
    ? `You have asked ${count} of at least ${min_attempts} questions. After that you can submit at any time.`
    : null;
}

export function standingOf(hit: Hit, terms: QuestionTerms): string {
  const wins = hit.wins === 1 ? "1 win" : `${hit.wins} wins`;
  if (hit.wins >= terms.max_wins) {
    return `You have all ${terms.max_wins} wins of this HIT. Well done! Please submit it.`;
  }
  if (hit.tries_left === 0) {
    return `You have used all your tries, with ${wins}. Please submit the HIT; the base pay is yours.`;
  }
  if (hit.wins >= terms.wins_wanted) {
    return `You have ${wins}: enough to submit, or go on to ${terms.max_wins}.`;
  }
  return `You have ${wins} of the ${terms.wins_wanted} wanted. You can submit at any time; fewer are accepted for short passages.`;
}

/** What is asked of those who submit with fewer wins than wanted. */
export function doubtOf(hit: Hit, terms: QuestionTerms): string {
  const wins = hit.wins === 0 ? "no wins" : hit.wins === 1 ? "1 win" : `${hit.wins} wins`;
  return `You have ${wins} of the ${terms.wins_wanted} wanted. Fewer are accepted for short passages; giving up never forfeits the base pay.`;
}
