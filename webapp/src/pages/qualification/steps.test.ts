import { expect, test } from "vitest";

import { NO_QUESTION } from "../../kinds/reading_comprehension/entry";
import { findStepProblem, readQuizTerms, workOf } from "./steps";

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

test.each([
  ["question", "Who dug it?", null, undefined],
  ["answer", "", ANSWER, undefined],
  ["pair", "Who dug it?", ANSWER, undefined],
  ["question", "  ", ANSWER, "question"],
  ["question", "Who was it that dug the well?", null, "question"],
  ["answer", "Who dug it?", null, "answer"],
  ["pair", "", null, "question"],
  ["pair", "Who dug it?", null, "answer"],
] as const)("a step of kind %s asks for what it needs, and for nothing else: %j, %j", (kind, question, answer, field) => {
  expect(findStepProblem({ kind }, { ...NO_QUESTION, question, answer }, TERMS)?.field).toBe(field);
});

test("and only that is sent", () => {
  const entry = { question: " Who dug it? ", answer: ANSWER, typed: "nuns" };
  expect(workOf({ kind: "question" }, entry)).toEqual({ question: "Who dug it?" });
  expect(workOf({ kind: "answer" }, entry)).toEqual({ answer: ANSWER });
  expect(workOf({ kind: "pair" }, entry)).toEqual({ question: "Who dug it?", answer: ANSWER });
});
