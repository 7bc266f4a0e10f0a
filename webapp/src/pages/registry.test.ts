import { expect, test } from "vitest";

import { UnknownPage, findPage } from "./registry";

test("an unknown page is answered with those that exist", async () => {
  await expect(findPage("reading")).rejects.toThrow(/^There is no page "reading"\. Available: .*reading_comprehension/);
  await expect(findPage("toString")).rejects.toThrow(UnknownPage);
  await expect(findPage(undefined)).rejects.toThrow(UnknownPage);
});
