import { expect, test } from "vitest";

import { occurrences } from "./occurrences";
import { tokenise } from "./tokens";

const find = (text: string, typed: string) => occurrences(text, tokenise(text), typed);

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
});
