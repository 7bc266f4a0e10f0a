import fc from "fast-check";
import { expect, test } from "vitest";

import { occurrences } from "./occurrences";
import { type Token, snap, spanOf, tokenise } from "./tokens";

const find = (text: string, typed: string) => occurrences(text, tokenise(text), typed);
const startsOf = (text: string, typed: string) => find(text, typed).map(({ start }) => start);

test("finds whole words only, wherever they stand", () => {
  const found = find("Art in a party: art, art.", "art");
  expect(found.map(({ text, start }) => [text, start])).toEqual([
    ["Art", 0],
    ["art", 16],
    ["art", 21],
  ]);
});

test("forgives case, spacing, quotes and how accents are composed", () => {
  expect(find("the  Newcomen\nengine’s cafe\u0301", "newcomen engine's caf\u00e9")).toHaveLength(1);
  expect(find("a cafe\u0323\u0301 in ΟΔΟΣ and Straße", "cafe\u0301\u0323 in οδος and STRASSE")).toHaveLength(1);
  expect(find("they said “no”", '"No"')).toHaveLength(1);
  expect(find("the café", "cafe")).toEqual([]);
});

test.each(["1871-1902", "1871–1902", "1871—1902", "1871\u20111902", "1871−1902"])("forgives which dash it is: %s", (typed) => {
  const [only, another] = find("A storm of 1871-1902, and a 16-year-old.", typed);
  expect([only?.text, only?.start, another]).toEqual(["1871-1902", 11, undefined]);
  expect(startsOf(`In ${typed} it was lit.`, "1871-1902")).toEqual([3]);
});

test.each([
  ["16-year-old", [28]],
  ["-year", [30]],
  ["1871-", [11]],
  ["-", [15, 30, 35]],
  ["--", []],
  ["a-b", []],
])("finds hyphens where they stand: %s", (typed, starts) => {
  expect(startsOf("A storm of 1871-1902, and a 16-year-old.", typed)).toEqual(starts);
});

test("forgives ligatures, and what nobody sees", () => {
  expect(find("The ﬁrst oﬃce of an œuvre", "first office of an oeuvre")).toHaveLength(1);
  expect(find("the first office", "the ﬁrst oﬃce")).toHaveLength(1);
  expect(find("co\u00adoperate at once", "cooperate\u200b at")).toHaveLength(1);
});

test("finds what overlaps itself", () => {
  expect(startsOf("a b a b a", "a b a")).toEqual([0, 4]);
});

test("gives code points and some context", () => {
  const [only] = find("😀😀 The steam engine pumps", "steam");
  expect(only).toMatchObject({ text: "steam", start: 7, before: "😀😀 The ", after: " engine pumps" });
});

test("takes special characters literally", () => {
  expect(find("It cost $2.00 (or more).", "$2.00")).toHaveLength(1);
  expect(find("It cost $2.00 (or more).", "(or more).")).toHaveLength(1);
  expect(find("It cost $2x00", "$2.00")).toHaveLength(0);
});

test("finds nothing in nothing", () => {
  expect(find("Some text", "  ")).toEqual([]);
  expect(find("Some \u200b text", "\u200b")).toEqual([]);
});

/** Any string, with many of the characters that are treated in a way of their own. */
const TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."ab1 -–—’'“\".,()$%\\/^*\n\u0301\u0323éﬁœßΣς\u00ad\u200b\u200dİıǅ한ㄱก😀"), maxLength: 30 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 }),
);
const ENOUGH = { numRuns: 1000 };

test("never throws, and gives nothing but stretches of the passage", () => {
  fc.assert(
    fc.property(TEXT, TEXT, (text, typed) => {
      const characters = [...text];
      for (const found of find(text, typed)) {
        const length = [...found.text].length;
        expect(characters.slice(found.start, found.start + length).join("")).toBe(found.text);
      }
    }),
    ENOUGH,
  );
});

test("finds every stretch of whole words", () => {
  const stretch = fc.tuple(TEXT, fc.nat(), fc.nat());
  fc.assert(
    fc.property(stretch, ([text, one, other]) => {
      const tokens = tokenise(text);
      fc.pre(tokens.some(isSeen));
      const ends = [one, other].map((number) => number % tokens.length).toSorted((a, b) => a - b);
      const [first, last] = seen(tokens, ends[0]!, ends[1]!);
      fc.pre(first <= last);
      const copied = text.slice(tokens[first]!.from, tokens[last]!.to);
      const expected = spanOf(text, tokens, snap(tokens, tokens[first]!.from, tokens[last]!.to)!);
      expect(find(text, copied)).toContainEqual(expect.objectContaining(expected));
      expect(find(text, ` ${copied}\n`)).toEqual(find(text, copied));
    }),
    ENOUGH,
  );
});

test("finds nothing that is not there", () => {
  fc.assert(
    fc.property(TEXT, TEXT, (text, typed) => {
      fc.pre(!/x/i.test(text.normalize("NFKD")));
      expect(find(text, `${typed}x`)).toEqual([]);
    }),
    ENOUGH,
  );
});

function isSeen({ text }: Token): boolean {
  return /[^\p{DI}\s]/u.test(text);
}

/** Without what nobody sees at either end. */
function seen(tokens: readonly Token[], first: number, last: number): [number, number] {
  while (first <= last && !isSeen(tokens[first]!)) {
    first += 1;
  }
  while (last >= first && !isSeen(tokens[last]!)) {
    last -= 1;
  }
  return [first, last];
}
