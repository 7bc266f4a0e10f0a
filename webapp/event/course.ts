/** A tossup in words, one sentence for each moment. */

import { language, say } from "../src/words/say";
import type { RoomState } from "./messages";
import type { Match, Played, Tossup } from "./records";

export function statusOf({ match, tossup, played }: Pick<RoomState, "match" | "tossup" | "played">): string {
  if (match.ended) {
    return say("event.status.ended");
  }
  if (tossup === null) {
    return say("event.status.not_begun");
  }
  if (tossup.over) {
    return overStatus(tossup, played.at(-1));
  }
  if (tossup.floor !== null) {
    return say("event.status.floor", { who: speakerOf(tossup.floor) });
  }
  const last = tossup.buzzes.at(-1);
  const before = last === undefined ? [] : [say("event.status.wrong", { side: last.side })];
  return [...before, say("event.status.reading", { number: tossup.number, count: match.tossups })].join(" ");
}

function overStatus(tossup: Tossup, last: Played | undefined): string {
  const right = tossup.buzzes.find((buzz) => buzz.right === true);
  const answer = last?.answer ?? "";
  return right === undefined
    ? say("event.status.nobody", { answer })
    : say("event.status.right", { who: speakerOf(right), answer });
}

/** A model speaks for itself. */
export function speakerOf({ side, player }: { side: string; player: string }): string {
  return side === player ? side : say("event.speaker", { player, team: side });
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

/** `yes` or `no`, as messages choose by it. */
export function choiceOf(right: boolean | null): string {
  return right === true ? "yes" : "no";
}

export function shownPoints(points: number): string {
  return new Intl.NumberFormat(language()).format(points).replace("-", "−");
}

export function signed(points: number): string {
  return new Intl.NumberFormat(language(), { signDisplay: "exceptZero" }).format(points).replace("-", "−");
}

export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: "unit" }).format(names);
}
