import { expect, test } from "vitest";

import { UnknownPage, findPage } from "./registry";

test("an unknown page is answered with those that exist", () => {
  expect(() => findPage("reading")).toThrow(/^There is no page "reading"\. Available: .*reading_comprehension/);
  expect(() => findPage("toString")).toThrow(UnknownPage);
  expect(() => findPage(undefined)).toThrow(UnknownPage);
});
