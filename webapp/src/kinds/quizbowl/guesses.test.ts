import { expect, test } from "vitest";

import { type Reading, levelOf, spoken, standing, tellingWords } from "./guesses";

const reading = (change: Partial<Reading> = {}): Reading => ({
  words: 60,
  guesses: [{ name: "Loom", confidence: 0.614, right: true }],
  rank: 1,
  right_from: 34,
  ...change,
});
const WRONG = reading({ right_from: null, rank: 4, guesses: [{ name: "Kiln", confidence: 0.5, right: false }] });

test("a word is marked the more, the more it tells", () => {
  expect([undefined, 0, 0.1, 0.34, 0.67, 1].map(levelOf)).toEqual([0, 0, 1, 2, 3, 3]);
});

test("what a reading comes to depends on where it turns right", () => {
  expect(standing(reading(), 0.75)).toMatch(/right from word 34 of 60 on\. For a win .* up to word 45\./);
  expect(standing(reading({ right_from: 46 }), 0.75)).toMatch(/late enough/);
  expect(standing(reading({ right_from: 45 }), 0.75)).toMatch(/up to word 45/); // as the server judges
  expect(standing(reading({ right_from: 60 }), 1)).toMatch(/wrong at the end/);
  expect(standing(WRONG, 0.75)).toBe("The AI is wrong. Your answer is its guess number 4.");
  expect(standing({ ...WRONG, rank: null }, 0.75)).toMatch(/not among/);
  expect(standing(reading({ guesses: [], right_from: null, rank: null }), 0.75)).toMatch(/no guess yet/);
});

test("those who listen hear the best guess and where it turns right", () => {
  expect(spoken(reading())).toBe("The AI guesses Loom, 61%: right from word 34 of 60 on.");
  expect(spoken(WRONG)).toBe("The AI guesses Kiln, 50%: wrong at the end.");
  expect(spoken(reading({ guesses: [] }))).toBe("");
});

test("the most telling words come first, once and bare", () => {
  expect(tellingWords(["“Loom,”", "a", "shed;", "loom", "Loom"], [0.5, 0, 1, 0.2, 0.4])).toEqual(["shed", "Loom", "loom"]);
});
