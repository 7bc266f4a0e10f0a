import { expect, test } from "vitest";

import {
  type LabellingStep,
  NOTHING,
  type WritingStep,
  findStepProblem,
  isStepEntry,
  readQuizTerms,
  workOf,
} from "./steps";

const TERMS = readQuizTerms({ steps: ["labelling", "writing"], tries_per_step: 2, max_hypothesis_chars: 20 });
const COMMON = { instruction: "", mistakes: [], tries_left: 2 };
const PREMISE = { id: "p", title: "", text: "It rained." };
const LABELLING: LabellingStep = {
  ...COMMON,
  id: "labelling",
  kind: "labelling",
  premises: [PREMISE],
  examples: [],
  items: ["a", "b"].map((id) => ({ id, premise: "p", hypothesis: id })),
};
const WRITING: WritingStep = { ...COMMON, id: "writing-1", kind: "writing", premise: PREMISE, target: "neutral" };
const LABELS = { b: "neutral", a: "entailment" } as const;

test("labels are sent in the order of their items, and a statement without what surrounds it", () => {
  expect(workOf(LABELLING, { ...NOTHING, labels: LABELS })).toEqual({ labels: ["entailment", "neutral"] });
  expect(workOf(WRITING, { ...NOTHING, hypothesis: " It was wet. " })).toEqual({ hypothesis: "It was wet." });
});

test("nothing is sent before each item has a label", () => {
  expect(findStepProblem(LABELLING, NOTHING, TERMS)?.message).toContain("2 statements have no judgement");
  const half = { ...NOTHING, labels: { a: "neutral" } } as const;
  expect(findStepProblem(LABELLING, half, TERMS)?.message).toContain("One statement has");
  expect(findStepProblem(LABELLING, { ...NOTHING, labels: LABELS }, TERMS)).toBeNull();
});

test("a statement is needed, and not a long one", () => {
  expect(findStepProblem(WRITING, NOTHING, TERMS)?.field).toBe("hypothesis");
  expect(findStepProblem(WRITING, { ...NOTHING, hypothesis: "x".repeat(21) }, TERMS)?.field).toBe("hypothesis");
  expect(findStepProblem(WRITING, { ...NOTHING, hypothesis: "😀".repeat(20) }, TERMS)).toBeNull();
});

test("rubbish is no draft of a step", () => {
  for (const rubbish of [null, undefined, {}, { hypothesis: "" }, { hypothesis: "", labels: { a: "maybe" } }]) {
    expect(isStepEntry(rubbish)).toBe(false);
  }
  expect(isStepEntry({ hypothesis: "", labels: LABELS })).toBe(true);
});
