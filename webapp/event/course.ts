/** A tossup in words, one sentence for each moment. */

import type { RoomState } from "./messages";
import type { Match, Played, Tossup } from "./records";

export function statusOf({ match, tossup, played }: Pick<RoomState, "match" | "tossup" | "played">): string {
  if (match.ended) {
    return "The match is over.";
  }
  if (tossup === null) {
    return "The match has not begun.";
  }
  if (tossup.over) {
    return overStatus(tossup, played.at(-1));
  }
  if (tossup.floor !== null) {
    return `${speakerOf(tossup.floor)} has the floor.`;
  }
  const last = tossup.buzzes.at(-1);
  const before = last === undefined ? "" : `${last.side} was wrong. `;
  return `${before}Tossup ${tossup.number} of ${match.tossups} is being read.`;
}

function overStatus(tossup: Tossup, last: Played | undefined): string {
  const right = tossup.buzzes.find((buzz) => buzz.right === true);
  const who = right === undefined ? "Nobody got it" : `${speakerOf(right)} is right`;
  return `${who}: ${last?.answer ?? ""}`;
}

/** A model speaks for itself. */
export function speakerOf({ side, player }: { side: string; player: string }): string {
  return side === player ? side : `${player} of ${side}`;
}

/** Whether this team may buzz now. */
export function mayBuzz(match: Match, tossup: Tossup | null, team: string): boolean {
  return (
    !match.ended &&
    tossup !== null &&
    !tossup.over &&
    tossup.floor === null &&
    tossup.words_read > 0 &&
    tossup.buzzes.every((buzz) => buzz.side !== team)
  );
}

export function shownPoints(points: number): string {
  return String(points).replace("-", "−");
}

export function signed(points: number): string {
  return points > 0 ? `+${points}` : shownPoints(points);
}
