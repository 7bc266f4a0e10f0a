/** What the AI says of a question as far as it is written, and that in words. */

import { percent } from "../../work/money";
import type { Mark } from "./marks";

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

/** `rank` is the right answer's; `right_from` the word from which on the best guess is right until the end. */
export interface Reading {
  words: number;
  guesses: readonly Guess[];
  rank: number | null;
  right_from: number | null;
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

/** "right from word 34 of 60 on". */
export function rightFrom({ right_from, words }: Pick<Reading, "right_from" | "words">): string {
  return right_from === null ? "wrong at the end" : `right from word ${right_from} of ${words} on`;
}

/** The best guess, and whether that is enough. */
export function standing(reading: Reading, lateShare: number): string {
  const { guesses, right_from, words } = reading;
  if (guesses.length === 0) {
    return "The AI has no guess yet.";
  }
  if (right_from === null) {
    return `The AI is wrong. ${rankWords(reading)}`;
  }
  const late = lateShare < 1 && right_from > lateShare * words;
  return `The AI is ${rightFrom(reading)}. ${late ? "That is late enough for a win." : goal(words, lateShare)}`;
}

function goal(words: number, lateShare: number): string {
  return lateShare < 1
    ? `For a win it has to be wrong up to word ${Math.floor(lateShare * words)}.`
    : "For a win it has to be wrong at the end.";
}

function rankWords({ rank, guesses }: Reading): string {
  if (rank === null) {
    return "Your answer is not among the ones that it thinks of.";
  }
  return rank > guesses.length ? `Your answer is its guess number ${rank}.` : "";
}

/** For those who listen: the best guess and where it turns right. */
export function spoken(reading: Reading): string {
  const [best] = reading.guesses;
  return best ? `The AI guesses ${best.name}, ${percent(best.confidence)}: ${rightFrom(reading)}.` : "";
}

/** The words that speak most for the best guess, each once. */
export function tellingWords(words: readonly string[], saliency: readonly number[], most = 3): string[] {
  const telling = words
    .map((word, index) => ({ word: word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""), weight: saliency[index] ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return [...new Set(telling.map(({ word }) => word))].slice(0, most);
}
