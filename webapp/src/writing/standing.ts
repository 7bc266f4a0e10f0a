/** Where a writer stands with a HIT that few wins end, in words. */

import { say } from "../words/say";
import type { Hit, Terms } from "./hit";
import type { Closing } from "./kind";

/** `work` is what people call a work, as a select of messages has it; `begun`: something was done before any attempt. */
export function closingOf(hit: Hit, terms: Terms, begun: boolean, work: string): Closing {
  const empty = !begun && hit.attempts.length === 0;
  const won = hit.wins >= terms.wins_wanted;
  const givesUp = !won && !hit.complete;
  const text = empty ? say("writing.waits") : say("writing.give_up.text", { left: hit.tries_left });
  return {
    title: say(givesUp ? "writing.give_up" : "work.hand_in"),
    button: say(givesUp ? "writing.give_up.button" : "work.hand_in.submit"),
    standing: empty ? say("writing.waits") : standingOf(hit, terms),
    lack: lackOf(hit, terms, work),
    isNext: !givesUp && hit.explanations_missing === 0,
    doubt: givesUp ? { title: say("writing.give_up.doubt"), text, yes: say("writing.give_up.yes") } : null,
  };
}

/** What was done in a HIT, for its end; empty if nothing was. */
export function summaryOf(hit: Hit, work: string): string {
  const count = kept(hit);
  return count === 0 ? "" : say("writing.summary", { work, count, wins: hit.wins });
}

function lackOf(hit: Hit, { min_attempts }: Terms, work: string): string | null {
  const count = Math.max(hit.tries_missing, hit.complete ? 0 : min_attempts - kept(hit));
  if (hit.explanations_missing > 0) {
    return say("writing.lack.explanation");
  }
  const more = hit.attempts.length > 0 ? "yes" : "no";
  return count > 0 ? say("writing.lack.more", { more, count, work }) : null;
}

function standingOf({ wins, tries_left: left }: Hit, { max_wins: most, wins_wanted }: Terms): string {
  if (wins >= most) {
    return say("writing.standing.done", { wins });
  }
  if (left === 0) {
    return say("writing.standing.no_tries", { wins });
  }
  return wins >= wins_wanted ? say("writing.standing.go_on", { wins, most }) : say("writing.standing.left", { left });
}

function kept({ attempts }: Hit): number {
  return attempts.filter(({ retracted }) => !retracted).length;
}
