import { expect, test } from "vitest";

import { findStepProblem, readQuizTerms } from "./screening";

const TERMS = readQuizTerms({
  steps: ["question", "pair"],
  tries_per_step: 2,
  min_attempts: 3,
  max_question_chars: 20,
});
const ANSWER = { text: "nuns", start: 3 };

test("the configuration gives the outline of the quiz beside the terms of its sample HIT", () => {
  expect(TERMS).toMatchObject({ steps: ["question", "pair"], tries_per_step: 2, min_attempts: 3, max_wins: 5 });
  expect(readQuizTerms({})).toMatchObject({ steps: [], tries_per_step: 3, min_attempts: 0 });
});

test("a step asks for what its kind needs, and for nothing else", () => {
  expect(findStepProblem("question", "Who dug it?", null, TERMS)).toBeNull();
  expect(findStepProblem("answer", "", ANSWER, TERMS)).toBeNull();
  expect(findStepProblem("pair", "Who dug it?", ANSWER, TERMS)).toBeNull();
  expect(findStepProblem("question", "  ", ANSWER, TERMS)).toMatchObject({ field: "question" });
  expect(findStepProblem("question", "Who was it that dug the well?", null, TERMS)).toMatchObject({
    field: "question",
  });
  expect(findStepProblem("answer", "Who dug it?", null, TERMS)).toMatchObject({ field: "answer" });
  expect(findStepProblem("pair", "", null, TERMS)).toMatchObject({ field: "question" });
  expect(findStepProblem("pair", "Who dug it?", null, TERMS)).toMatchObject({ field: "answer" });
});
