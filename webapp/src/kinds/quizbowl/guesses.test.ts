import { expect, test } from "vitest";

import { type Late, type Reading, levelOf, spoken, standing, tellingWords } from "./guesses";

const reading = (change: Partial<Reading> = {}): Reading => ({
  words: 60,
  guesses: [{ name: "Loom", confidence: 0.614, right: true }],
  rank: 1,
  first_right: 34,
  right_from: 34,
  ...change,
});
const WRONG = reading({ first_right: null, right_from: null, rank: 4, guesses: [{ name: "Kiln", confidence: 0.5, right: false }] });

test("a word is marked the more, the more it tells", () => {
  expect([undefined, 0, 0.1, 0.34, 0.67, 1].map(levelOf)).toEqual([0, 0, 1, 2, 3, 3]);
});

const FIRST: Late = { late_share: 0.75, late_position: "first_right" };
const STAYS: Late = { late_share: 0.75, late_position: "right_from" };

test("what a reading comes to depends on where it is first right", () => {
  expect(standing(reading(), FIRST)).toMatch(/right from word 34 of 60 on\. For a win .* up to word 45\./);
  expect(standing(reading({ first_right: 46, right_from: 50 }), FIRST)).toMatch(/late enough/);
  expect(standing(reading({ first_right: 45, right_from: 50 }), FIRST)).toMatch(/up to word 45/); // as the server judges
  expect(standing(reading({ right_from: null }), FIRST)).toMatch(/first right at word 34 of 60, but wrong at the end\. For/);
  expect(standing(reading({ first_right: 60 }), { ...FIRST, late_share: 1 })).toMatch(/never be right/);
  expect(standing(WRONG, FIRST)).toBe("The AI is wrong. Your answer is its guess number 4.");
  expect(standing({ ...WRONG, rank: null }, FIRST)).toMatch(/not among/);
  expect(standing(reading({ guesses: [], first_right: null, right_from: null, rank: null }), FIRST)).toMatch(/no guess yet/);
});

test("or on where it stays right, if a round says so", () => {
  expect(standing(reading({ right_from: 46 }), STAYS)).toMatch(/first right at word 34 .* from word 46 on\. That is late/);
  expect(standing(reading({ right_from: 45 }), STAYS)).toMatch(/wrong at word 45, or later/);
  expect(standing(reading({ right_from: null }), STAYS)).toMatch(/wrong at the end\. $/);
  expect(standing(reading({ right_from: 60 }), { ...STAYS, late_share: 1 })).toMatch(/has to be wrong at the end/);
});

test("those who listen hear the best guess and where it is right", () => {
  expect(spoken(reading())).toBe("The AI guesses Loom, 61%: right from word 34 of 60 on.");
  expect(spoken(WRONG)).toBe("The AI guesses Kiln, 50%: never right.");
  expect(spoken(reading({ guesses: [] }))).toBe("");
});

test("the most telling words come first, once and bare", () => {
  expect(tellingWords(["“Loom,”", "a", "shed;", "loom", "Loom"], [0.5, 0, 1, 0.2, 0.4])).toEqual(["shed", "Loom", "loom"]);
});
