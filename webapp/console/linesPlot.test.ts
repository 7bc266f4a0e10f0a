import { expect, test } from "vitest";

import { timeWords } from "./linesPlot";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;

test("ticks within days name the day once", () => {
  const ticks = ["2026-01-01T18:00", "2026-01-02T00:00", "2026-01-02T06:00"].map(at);
  expect(timeWords(ticks)).toEqual(["18:00\n2026-01-01", "00:00\n2026-01-02", "06:00"]);
});

test("ticks at midnight are days", () => {
  expect(timeWords(["2026-01-01T00:00", "2026-01-08T00:00"].map(at))).toEqual(["2026-01-01", "2026-01-08"]);
});
