import { expect, test } from "vitest";

import { sentences, words } from "./wording";
import examples from "./wording.json" with { type: "json" };

test.each(examples)("words and sentences of $text", (example) => {
  expect(words(example.text)).toHaveLength(example.words);
  expect(sentences(example.text)).toEqual(example.sentences);
});

test("places of words are places in the text field", () => {
  expect(words("a 𝄞-clef, two")).toEqual([
    { start: 0, end: 1 },
    { start: 2, end: 10 },
    { start: 11, end: 14 },
  ]);
});
