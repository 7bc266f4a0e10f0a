import { expect, test } from "vitest";

import { codePointLength } from "./codePoints";

test("characters outside the basic plane count once", () => {
  expect(codePointLength("a𝄞b")).toBe(3);
  expect(codePointLength("👩‍🚀")).toBe(3); // woman, joiner, rocket
  expect(codePointLength("cafe\u0301")).toBe(5); // the accent is a code point of its own
});
