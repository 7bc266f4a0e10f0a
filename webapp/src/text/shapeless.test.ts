import { expect, test } from "vitest";

import { withoutShapeless } from "./shapeless";
import examples from "./shapeless.json" with { type: "json" };

test.each(examples)("$text becomes $kept", ({ text, kept }) => {
  expect(withoutShapeless(text)).toBe(kept);
});

test("what turns the direction of text does not reach the server, which refuses it", () => {
  expect(withoutShapeless("\u200ea\u202eb\u202c")).toBe("ab");
});

test("a joiner stays until the next letter is typed", () => {
  expect(withoutShapeless("\u0645\u06cc\u200c")).toBe("\u0645\u06cc\u200c");
});
