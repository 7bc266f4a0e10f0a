import { expect, test } from "vitest";

import { codePointLength, toCodePoints, toUnits } from "./codePoints";

test("characters outside the basic plane count once", () => {
  expect(codePointLength("a𝄞b")).toBe(3);
  expect(codePointLength("👩‍🚀")).toBe(3); // woman, joiner, rocket
});

test("positions go to code points and back", () => {
  const text = "x𝄞y 😀 é";
  for (let point = 0; point <= codePointLength(text); point += 1) {
    expect(toCodePoints(text, toUnits(text, point))).toBe(point);
  }
  expect(toUnits(text, 2)).toBe(3);
});
