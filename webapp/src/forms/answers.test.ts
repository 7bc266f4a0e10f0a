import { expect, test } from "vitest";

import { type Answers, isAnswers, sentAnswers, shownQuestions } from "./answers";
import type { FormQuestion } from "./records";
import examples from "./shown.json";

function question(id: string, more: Partial<FormQuestion> = {}): FormQuestion {
  const nothing = { options: null, several: null, lowest: null, highest: null, low_label: null, high_label: null };
  const none = { at_least: null, at_most: null, decimals: null, max_chars: null };
  return { id, type: "text", text: id, required: true, shown_when: {}, ...nothing, ...none, ...more };
}

const QUESTIONS = [
  question("english", { type: "choice", options: ["Yes", "No"] }),
  question("years", { type: "number", decimals: true, shown_when: { english: ["No"] } }),
  question("ease", { type: "scale", lowest: 1, highest: 5, shown_when: { english: ["No"] } }),
  question("why", { shown_when: { ease: ["3"] } }),
  question("topics", { type: "choice", options: ["a", "b"], several: true }),
];

test("a question is shown where the answers before it ask for it, and hidden with the one it depends on", () => {
  const ids = (answers: Record<string, string>) => shownQuestions(QUESTIONS, answers).map((one) => one.id);
  expect(ids({})).toEqual(["english", "topics"]);
  expect(ids({ english: "No" })).toEqual(["english", "years", "ease", "topics"]);
  expect(ids({ english: "No", ease: "3" })).toEqual(["english", "years", "ease", "why", "topics"]);
  expect(ids({ english: "Yes", ease: "3" })).toEqual(["english", "topics"]);
});

test("the same questions are shown that the server takes answers to", () => {
  const asked = examples.questions.map(({ id, ...more }) => question(id, more as Partial<FormQuestion>));
  for (const { answers, shown } of examples.cases) {
    expect(shownQuestions(asked, answers as Answers).map((one) => one.id)).toEqual(shown);
  }
});

test("numbers are sent as numbers, what is open or hidden is not sent, and what is no number as it stands", () => {
  expect(sentAnswers(QUESTIONS, { english: "No", years: " 3,5 ", topics: ["a"] })).toEqual({
    english: "No",
    years: 3.5,
    topics: ["a"],
  });
  expect(sentAnswers(QUESTIONS, { english: "Yes", years: "3", topics: [] })).toEqual({ english: "Yes" });
  expect(sentAnswers(QUESTIONS, { english: "No", years: "three" })).toEqual({ english: "No", years: "three" });
});

test("a draft that is none is not taken for answers", () => {
  expect(isAnswers({ a: "x", b: ["y"] })).toBe(true);
  for (const wrong of [null, "a", { a: 1 }, { a: [1] }]) {
    expect(isAnswers(wrong)).toBe(false);
  }
});
