import { expect, test } from "vitest";

import { clockText, clockWarning } from "./useSecondsLeft";

test.each([
  [86_400, "24 h"],
  [86_399 - 60, "23 h 59 min"],
  [7200, "2 h"],
  [7140, "119 min"],
  [3600, "60 min"],
  [601, "11 min"],
  [599, "9:59"],
  [61, "1:01"],
  [0, "0:00"],
])("%d seconds read %j", (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});

test("it warns at five minutes, at one and at the end", () => {
  const warnings = [301, 300, 61, 60, 1, 0].map(clockWarning);
  expect(new Set(warnings).size).toBe(4);
  expect(warnings[0]).toBe("");
  expect(warnings[1]).toBe(warnings[2]);
  expect(warnings[3]).toBe(warnings[4]);
});
