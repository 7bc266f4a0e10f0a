import { expect, test } from "vitest";

import { entryOf, findProblem, isJudgementEntry, judgementOf } from "./judgements";

test("a judgement is a label or the reason why there is none, never both", () => {
  expect(judgementOf({ choice: "neutral", flag: null })).toEqual({ label: "neutral", flag: null });
  expect(judgementOf({ choice: "neutral", flag: "offensive" })).toEqual({ label: "neutral", flag: null });
  expect(judgementOf({ choice: "bad", flag: "offensive" })).toEqual({ label: null, flag: "offensive" });
});

test.each([
  { label: "entailment", flag: null },
  { label: null, flag: "other" },
] as const)("%j comes back as it was saved", (judgement) => {
  expect(judgementOf(entryOf(judgement))).toEqual(judgement);
});

test("nothing is sent before it says one thing", () => {
  expect(findProblem({ choice: null, flag: null })?.field).toBe("label");
  expect(findProblem({ choice: "bad", flag: null })?.field).toBe("flag");
  expect(findProblem({ choice: "bad", flag: "other" })).toBeNull();
  expect(findProblem({ choice: "contradiction", flag: null })).toBeNull();
});

test("rubbish is no draft of one", () => {
  for (const rubbish of [null, undefined, {}, { choice: "maybe", flag: null }, { choice: null, flag: "rude" }]) {
    expect(isJudgementEntry(rubbish)).toBe(false);
  }
  expect(isJudgementEntry({ choice: "bad", flag: "other" })).toBe(true);
});
