import { afterEach, expect, test } from "vitest";

import cases from "./amounts.json";
import { speakEnglish } from "../words/english";
import { speak } from "../words/say";
import { amount, countIn, percent } from "./money";

afterEach(() => {
  countIn("USD");
  speakEnglish();
});

/** Without the spaces that keep a sign on the line of its number. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

test.each(cases)("$cents of $unit read as the server writes them: $shown", ({ unit, cents, shown }) => {
  countIn(unit);
  expect(plain(amount(cents))).toBe(shown);
});

test("a page whose configuration names no unit counts in dollars", () => {
  countIn(undefined);
  expect(amount(200)).toBe("$2.00");
});

test("a share is a whole percentage", () => {
  expect(percent(2 / 3)).toBe("67%");
});

test.each([
  ["de", "USD", "1.101,42 $", "67 %"],
  ["de", "EUR", "1.101,42 €", "67 %"],
  ["de", "CHF", "1.101,42 CHF", "67 %"],
  ["de", "JPY", "1.101,42 JPY", "67 %"],
  ["es", "USD", "1101,42 $", "67 %"],
])("in %s, %s reads as there: %s", (language, unit, money, share) => {
  speak({ language, direction: "ltr", messages: {}, texts: {} });
  countIn(unit);
  expect([plain(amount(110142)), plain(percent(2 / 3))]).toEqual([money, share]);
});

test("where text runs from the right, a sign keeps its own direction", () => {
  speak({ language: "ar", direction: "rtl", messages: {}, texts: {} });
  expect(plain(amount(200))).toBe("\u200f2.00 \u2066US$\u2069");
});
