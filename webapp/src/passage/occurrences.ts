/** Where a typed answer stands in the passage: whole words first, case and spacing forgiven. */

import { type Span, type Token, snap, spanOf } from "./tokens";

export interface Occurrence extends Span {
  /** A few words on either side, so that a person can tell one occurrence from another. */
  before: string;
  after: string;
}

const CONTEXT_UNITS = 32;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

export function occurrences(text: string, tokens: readonly Token[], typed: string): Occurrence[] {
  const matches = forms(typed.trim()).flatMap((form) => [...text.matchAll(pattern(form))]);
  const spans = new Map<number, Occurrence>();
  for (const match of matches) {
    const range = snap(tokens, match.index, match.index + match[0].length);
    if (range !== null && wholeWords(tokens, range.first, range.last, match)) {
      const occurrence = inContext(text, tokens, spanOf(text, tokens, range), range.first, range.last);
      spans.set(occurrence.start, occurrence);
    }
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

/** "art" in "party" is no occurrence; "1606." for the word "1606" is one. */
function wholeWords(tokens: readonly Token[], first: number, last: number, match: RegExpExecArray): boolean {
  return tokens[first]!.from >= match.index && tokens[last]!.to <= match.index + match[0].length;
}

function forms(typed: string): string[] {
  return typed === "" ? [] : [...new Set([typed.normalize("NFC"), typed.normalize("NFD")])];
}

function pattern(form: string): RegExp {
  const source = form
    .replace(SPECIAL, "\\$&")
    .replace(/\s+/g, "\\s+")
    .replace(/['’]/g, "['’]")
    .replace(/["“”]/g, '["“”]');
  return new RegExp(source, "giu");
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
