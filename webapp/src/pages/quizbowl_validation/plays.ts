/** What the server says of questions that are played, and what a player says of one. */

import type { Terms } from "../../checking/hit";
import { type Problem, invalid } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import { termsOf } from "../../work/terms";
import { say } from "../../words/say";

const MAX_NAME_CHARS = 200;

const DEFAULT_TERMS: Terms = {
  task_title: "Answer as soon as you know",
  task_description: "",
  works_per_hit: 10,
  reward_cents: 200,
  time_limit_seconds: 3600,
};

/** A question as far as it was read. */
export interface Revealed {
  text: string;
  words: number;
  ended: boolean;
}

/** `said` is null where the player did not know it. */
export interface Play {
  said: string | null;
}

/** An answer in the making. Whoever has buzzed reads no further. */
export interface PlayEntry {
  buzzed: boolean;
  said: string;
  unknown: boolean;
}

export const NO_PLAY: PlayEntry = { buzzed: false, said: "", unknown: false };

export function readTerms(config: Readonly<Record<string, unknown>>): Terms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isPlayEntry(value: unknown): value is PlayEntry {
  const entry = value as Partial<PlayEntry> | null | undefined;
  return typeof entry?.said === "string" && typeof entry.buzzed === "boolean" && typeof entry.unknown === "boolean";
}

/** Whether nothing of it is read any more: the player has buzzed at a word, or heard the end. */
export function isOver({ buzzed }: PlayEntry, revealed: Revealed | undefined): boolean {
  return revealed !== undefined && (buzzed || revealed.ended);
}

export function playOf({ said, unknown }: PlayEntry): Play {
  return { said: unknown ? null : said.trim() };
}

export function entryOf({ said }: Play): PlayEntry {
  return { buzzed: true, said: said ?? "", unknown: said === null };
}

/** What is wrong with an answer before it is sent. */
export function findProblem({ said, unknown }: PlayEntry): Problem | null {
  if (!unknown && said.trim() === "") {
    return invalid("said", say("quizbowl_checking.problem.said"));
  }
  return !unknown && codePointLength(said.trim()) > MAX_NAME_CHARS
    ? invalid("said", say("quizbowl_checking.problem.long", { most: MAX_NAME_CHARS }))
    : null;
}
