/** Where a writer stands with a HIT, in words. */

import { say } from "../../words/say";
import type { Hit } from "../../writing/hit";
import type { QuestionTerms } from "./terms";

/** Why the HIT cannot be handed in yet, and what to do; null when it can be. */
export function lackOf(hit: Hit, { min_attempts: least }: QuestionTerms): string | null {
  if (hit.complete) {
    return null;
  }
  const count = hit.attempts.filter((attempt) => !attempt.retracted).length;
  if (hit.tries_missing > 0) {
    const more = hit.attempts.length > 0 ? "yes" : "no";
    return say("reading.lack.more", { more, count: hit.tries_missing });
  }
  return count < least ? say("reading.lack.asked", { count, least }) : null;
}

export function standingOf({ wins, tries_left }: Hit, { max_wins: most, wins_wanted: wanted }: QuestionTerms): string {
  if (wins >= most) {
    return say("reading.standing.all", { most });
  }
  if (tries_left === 0) {
    return say("reading.standing.no_tries", { wins });
  }
  return wins >= wanted ? say("reading.standing.enough", { wins, most }) : say("reading.standing.fewer", { wins, wanted });
}

/** What is asked of those who submit with fewer wins than wanted. */
export function doubtOf({ wins }: Hit, { wins_wanted: wanted }: QuestionTerms): string {
  return say("reading.doubt", { wins, wanted });
}
