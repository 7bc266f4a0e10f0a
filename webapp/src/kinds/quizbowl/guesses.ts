/** What the AI says of a question as far as it is written, and that in words. */

import { percent } from "../../work/money";
import type { Mark } from "./marks";
import { say } from "../../words/say";

export interface Guess {
  name: string;
  confidence: number;
  right: boolean;
}

/** What the best guess rests on, for one sentence of the question. */
export interface Evidence {
  sentence: Mark;
  name: string;
  text: string;
  source: string;
  /** The words that question and text share: in the question, and in the text. */
  matches: readonly Mark[];
  highlights: readonly Mark[];
}

/** `rank` is the right answer's. The best guess is right at the word `first_right` for the first time, and from
 * `right_from` on until the end; null: it never is, and it is wrong at the end. */
export interface Reading {
  words: number;
  guesses: readonly Guess[];
  rank: number | null;
  first_right: number | null;
  right_from: number | null;
}

/** When an AI is beaten that is right: after this share of the words (1: it never is), by one of its positions. */
export interface Late {
  late_share: number;
  late_position: "first_right" | "right_from";
}

export interface Shown extends Reading {
  evidence: readonly Evidence[];
  /** For each word what it speaks for the best guess, from 0 to 1; empty where nothing tells. */
  saliency: readonly number[];
}

/** From 0 to 3: how strongly a word is marked. */
export function levelOf(saliency: number | undefined): number {
  return saliency === undefined || saliency <= 0 ? 0 : Math.min(3, 1 + Math.floor(saliency * 3));
}

/** As in "first right at word 20 of 60, and right to the end from word 34 on". */
export function rightWords(reading: Pick<Reading, "first_right" | "right_from" | "words">): string {
  const { first_right: word, right_from: from, words } = reading;
  if (word === null) {
    return say("quizbowl.right.never");
  }
  if (word === from) {
    return say("quizbowl.right.from", { word, words });
  }
  return from === null ? say("quizbowl.right.lost", { word, words }) : say("quizbowl.right.again", { word, words, from });
}

/** The best guess, and whether that is enough. */
export function standing(reading: Reading, late: Late): string {
  const { guesses, first_right, words } = reading;
  if (guesses.length === 0) {
    return say("quizbowl.standing.nothing");
  }
  const position = reading[late.late_position];
  const is = first_right === null ? say("quizbowl.standing.wrong") : say("quizbowl.standing.right", { right: rightWords(reading) });
  if (position === null) {
    return `${is} ${rankWords(reading)}`;
  }
  const isLate = late.late_share < 1 && position > late.late_share * words;
  return `${is} ${isLate ? say("quizbowl.standing.late") : goal(words, late)}`;
}

function goal(words: number, { late_share, late_position }: Late): string {
  const word = Math.floor(late_share * words);
  if (late_position === "first_right") {
    return late_share < 1 ? say("quizbowl.goal.first_until", { word }) : say("quizbowl.goal.first");
  }
  return late_share < 1 ? say("quizbowl.goal.stays_until", { word }) : say("quizbowl.goal.stays");
}

function rankWords({ rank, guesses }: Reading): string {
  if (rank === null) {
    return say("quizbowl.standing.unthought");
  }
  return rank > guesses.length ? say("quizbowl.standing.rank", { rank }) : "";
}

/** For those who listen: the best guess and where it is right. */
export function spoken(reading: Reading): string {
  const [best] = reading.guesses;
  return best
    ? say("quizbowl.spoken", { name: best.name, share: percent(best.confidence), right: rightWords(reading) })
    : "";
}

/** The words that speak most for the best guess, each once. */
export function tellingWords(words: readonly string[], saliency: readonly number[], most = 3): string[] {
  const telling = words
    .map((word, index) => ({ word: word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""), weight: saliency[index] ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return [...new Set(telling.map(({ word }) => word))].slice(0, most);
}
