import { expect, test } from "vitest";

import { type Brief, categoryName, draftOf, findProblem, guessesOf, isQuestionTask, lengthOf, pageTitle } from "./terms";

const BRIEF: Brief = {
  category: "Crafts",
  answers: 3,
  min_words: 4,
  max_words: 8,
  max_chars: 60,
  min_sentences: 2,
  late_share: 0.75,
  late_position: "first_right",
};

test.each([
  [{ text: "One two. Three four.", answer: "" }, "answer", /choose an answer/],
  [{ text: " ", answer: "Loom" }, "text", /write a question/],
  [{ text: "One. Two.", answer: "Loom" }, "text", /has 2 words; 4 to 8 .* more clues/],
  [{ text: "A b. C d e f g h i.", answer: "Loom" }, "text", /has 9 words.* leave something out/],
  [{ text: `A b c. ${"D".repeat(60)}`, answer: "Loom" }, "text", /67 characters; at most 60/],
  [{ text: "one two three four.", answer: "Loom" }, "text", /has 1 sentence; at least 2/],
])("%j is not sent", (entry, field, message) => {
  expect(findProblem(entry, BRIEF)).toMatchObject({ field, message: expect.stringMatching(message) as string });
});

test("what is as it should be is sent", () => {
  expect(findProblem({ text: "One two. Three four.", answer: "Loom" }, BRIEF)).toBeNull();
});

test("nothing is asked of what is empty, of no answer, or of more than is allowed", () => {
  expect(draftOf({ text: "This", answer: "Loom" }, BRIEF)).toEqual({ text: "This", answer: "Loom" });
  expect(draftOf({ text: "This", answer: "" }, BRIEF)).toBeNull();
  expect(draftOf({ text: " \n", answer: "Loom" }, BRIEF)).toBeNull();
  expect(draftOf({ text: "x".repeat(100_000), answer: "Loom" }, BRIEF)).toBeNull();
});

test("the length is told while one types", () => {
  expect(lengthOf("One two. Three", BRIEF)).toEqual({ words: "3 words of 4 to 8, 2 sentences", over: false });
  expect(lengthOf("x".repeat(61), BRIEF).over).toBe(true);
  expect(lengthOf("a b c d e f g h i", BRIEF).over).toBe(true);
});

test("pages have titles that people read", () => {
  expect(["Émile_(book)", "Duke_of_York", "F(x)"].map(pageTitle)).toEqual(["Émile", "Duke of York", "F(x)"]);
});

test.each([
  ["Geography Current Events and General Knowledge", "Geography, Current Events and General Knowledge"],
  ["Religion Mythology Philosophy and Social Science", "Religion, Mythology, Philosophy and Social Science"],
  ["Fine Arts", "Fine Arts"],
])("a category that is a list reads as one: %s", (category, name) => {
  expect(categoryName(category)).toBe(name);
});

test("the guess that is the answer is known by its page", () => {
  const prediction = { guesses: [{ page: "Mercury_(planet)", confidence: 0.6 }, { page: "Mercury_(element)", confidence: 0.4 }], rank: 2 }; // prettier-ignore
  expect(guessesOf({ work: { text: "", answer: "Mercury_(element)" }, prediction }).map(({ right }) => right)).toEqual([
    false,
    true,
  ]);
});

test("a HIT without limits is none", () => {
  const task = { hit: "h", context: { id: "c", title: "", text: "Choose." }, brief: BRIEF };
  expect(isQuestionTask(task)).toBe(true);
  expect(isQuestionTask({ ...task, brief: { category: "Crafts" } })).toBe(false);
  expect(isQuestionTask({ ...task, brief: null })).toBe(false);
  expect(isQuestionTask(null)).toBe(false);
});
