import { describe, expect, test } from "vitest";

import { findProblem, readTerms } from "./terms";

const ANSWER = { text: "1712", start: 8 };

describe("what is checked before sending", () => {
  const terms = readTerms({ max_question_chars: 20, max_answer_words: 3 });

  test.each([
    ["", ANSWER, "question"],
    ["a", ANSWER, "question"],
    ["This question is far too long", ANSWER, "question"],
    ["When was it?", null, "answer"],
    ["When was it?", { text: "one two three four", start: 0 }, "answer"],
  ])("%j with %j is a problem of the %s", (question, answer, field) => {
    expect(findProblem(question, answer, terms)?.field).toBe(field);
  });

  test("emoji count as one character", () => {
    expect(findProblem("😀".repeat(20), ANSWER, terms)).toBeNull();
  });
});

test("terms that are not configured are the paper's", () => {
  expect(readTerms({ page: "reading_comprehension", wins_wanted: 1 })).toMatchObject({
    wins_wanted: 1,
    max_wins: 5,
    f1_threshold: 0.4,
    reward_cents: 200,
  });
});
