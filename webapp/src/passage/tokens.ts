/**
 * The words of a passage. A marked answer always runs from the start of a word to the end of one.
 *
 * `Intl.Segmenter` keeps combining marks and joined emoji together and finds words in scripts without spaces. The server
 * checks answers by the same rule (`kinds/reading_comprehension/borders.py`); `borders.json` holds cases for both.
 */

import { codePointLength } from "./codePoints";

export interface Token {
  /** UTF-16 positions, for JavaScript. */
  from: number;
  to: number;
  /** Code points, for the server. */
  start: number;
  end: number;
  text: string;
  /** Punctuation on its own, which the keyboard passes over. */
  punctuation: boolean;
}

/** A stretch of the passage as the server wants it: `start` counts code points. */
export interface Span {
  text: string;
  start: number;
}

/** Token indexes, both included. */
export interface TokenRange {
  first: number;
  last: number;
}

const SPACE = /^\s+$/u;
const PUNCTUATION = /^\p{P}+$/u;
const SENTENCE_PUNCTUATION = /^[.,;:!?،؛؟。、，；：！？…]+$/u;
const CURRENCY = /^\p{Sc}$/u;
const NUMBER = /^\p{N}/u;
const UNIT = /^[%‰°]$/u;
const POSSESSIVE = /.(?=['’][sS]$)/u;

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    let from = index;
    for (const part of withoutPossessive(segment)) {
      const token = { from, to: from + part.length, start, end: start + codePointLength(part), text: part };
      if (!SPACE.test(part)) {
        addToken(tokens, { ...token, punctuation: PUNCTUATION.test(part) });
      }
      ({ to: from, end: start } = token);
    }
  }
  return tokens;
}

/** "Newcomen's" in two, so that the name alone can be the answer. */
function withoutPossessive(segment: string): string[] {
  return POSSESSIVE.test(segment) ? [segment.slice(0, -2), segment.slice(-2)] : [segment];
}

/** Adds a token; an amount stays with its sign: $2.00, 40%. */
function addToken(tokens: Token[], token: Token): void {
  const previous = tokens.at(-1);
  const touches = previous?.to === token.from;
  const amount = touches && CURRENCY.test(previous.text) && NUMBER.test(token.text);
  const measured = touches && NUMBER.test(previous.text) && UNIT.test(token.text);
  if (previous && (amount || measured)) {
    const text = previous.text + token.text;
    tokens[tokens.length - 1] = { ...previous, to: token.to, end: token.end, text, punctuation: false };
  } else {
    tokens.push(token);
  }
}

/**
 * The tokens that the UTF-16 stretch touches, without sentence punctuation at either end; null if there are none. A
 * stretch of nothing but punctuation is kept: perhaps it is meant.
 */
export function snap(tokens: readonly Token[], from: number, to: number): TokenRange | null {
  let first = tokens.findIndex((token) => token.to > from);
  let last = tokens.findLastIndex((token) => token.from < to);
  if (first < 0 || first > last) {
    return null;
  }
  const range = { first, last };
  while (first <= last && SENTENCE_PUNCTUATION.test(tokens[first]!.text)) {
    first += 1;
  }
  while (last >= first && SENTENCE_PUNCTUATION.test(tokens[last]!.text)) {
    last -= 1;
  }
  return first <= last ? { first, last } : range;
}

export function rangeBetween(anchor: number, end: number): TokenRange {
  return { first: Math.min(anchor, end), last: Math.max(anchor, end) };
}

export function spanOf(text: string, tokens: readonly Token[], range: TokenRange): Span {
  const { from, start } = tokens[range.first]!;
  return { text: text.slice(from, tokens[range.last]!.to), start };
}

/** The tokens that a span from the server covers; null if it lies outside the passage. */
export function rangeOf(tokens: readonly Token[], span: Span): TokenRange | null {
  const end = span.start + codePointLength(span.text);
  const first = tokens.findIndex((token) => token.end > span.start);
  const last = tokens.findLastIndex((token) => token.start < end);
  return span.start >= 0 && first >= 0 && first <= last ? { first, last } : null;
}

/** The next token in direction `step` that is not punctuation, or `from` if there is none. */
export function nextWord(tokens: readonly Token[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < tokens.length; index += step) {
    if (!tokens[index]!.punctuation) {
      return index;
    }
  }
  return Math.min(Math.max(from, 0), tokens.length - 1);
}
