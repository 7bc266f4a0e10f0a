/** Where a typed answer stands in the passage, in whole words. `folded` says what is forgiven. */

import { type Span, type Token, snap, spanOf } from "./tokens";

export interface Occurrence extends Span {
  /** A few words on either side, so that a person can tell one occurrence from another. */
  before: string;
  after: string;
}

const CONTEXT_UNITS = 32;

/** Characters that a keyboard has in one form, and a passage or a clipboard in several. */
const ALIKE: readonly [RegExp, string][] = [
  [/[\p{Pd}\u2212]/gu, "-"],
  [/[‘’‚‛′`]/g, "'"],
  [/[“”„‟«»]/g, '"'],
  [/Æ/g, "AE"],
  [/Œ/g, "OE"],
  [/\p{Default_Ignorable_Code_Point}/gu, ""],
  [/\s+/g, " "],
];

export function occurrences(text: string, tokens: readonly Token[], typed: string): Occurrence[] {
  const wanted = folded(typed).trim();
  const { whole, first, last } = foldedWords(tokens);
  const spans = new Map<number, Occurrence>();
  for (let at = whole.indexOf(wanted); wanted !== "" && at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const from = first.get(at)?.from;
    const to = last.get(at + wanted.length)?.to;
    const range = from !== undefined && to !== undefined ? snap(tokens, from, to) : null;
    if (range !== null) {
      const occurrence = inContext(text, tokens, spanOf(text, tokens, range), range.first, range.last);
      spans.set(occurrence.start, occurrence);
    }
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

/**
 * A text as it is compared: without case, without what cannot be seen, and with one form for every dash, quotation mark,
 * ligature, white space and composition of accents.
 */
function folded(text: string): string {
  const decomposed = text.normalize("NFKD").toLowerCase().toUpperCase(); // ß, ẞ and SS, ς and σ meet in capitals
  return ALIKE.reduce((folding, [characters, form]) => folding.replace(characters, form), decomposed);
}

/** All words of a passage, folded, and the tokens that begin and end at each place. "art" in "party" is at no such place. */
function foldedWords(tokens: readonly Token[]) {
  const first = new Map<number, Token>();
  const last = new Map<number, Token>();
  let whole = "";
  let end = 0;
  let apart = false;
  for (const token of tokens) {
    const form = folded(token.text);
    const word = form.trim();
    apart ||= token.from > end || form.startsWith(" ");
    end = token.to;
    if (word !== "") {
      whole += apart && whole !== "" ? " " : "";
      first.set(whole.length, token);
      whole += word;
      last.set(whole.length, token);
      apart = form.endsWith(" ");
    }
  }
  return { whole, first, last };
}

function inContext(text: string, tokens: readonly Token[], span: Span, first: number, last: number): Occurrence {
  const from = tokens[first]!.from;
  const to = tokens[last]!.to;
  const left = tokens.find((token) => token.from >= from - CONTEXT_UNITS)!;
  const right = tokens.findLast((token) => token.to <= to + CONTEXT_UNITS)!;
  const before = text.slice(Math.min(left.from, from), from);
  const after = text.slice(to, Math.max(right.to, to));
  return {
    ...span,
    before: left.from > 0 ? `…${before}` : before,
    after: right.to < text.length ? `${after}…` : after,
  };
}
