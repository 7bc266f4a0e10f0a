import { expect, test } from "vitest";

import { told } from "./told";

const message = "Anything in English.";

test("what names messages is said by them, with their arguments", () => {
  const said = [{ key: "refusals.no_tries", arguments: { tries: 3 } }, { text: "<b>A requester's own.</b>" }];
  expect(told({ message, said })).toBe(
    "You have used all 3 tries of this task. Please submit it. <b>A requester's own.</b>",
  );
});

test("what names none, or one that this page does not know, stays as it is", () => {
  expect(told({ message })).toBe(message);
  expect(told({ message, said: [{ key: "refusals.submitted" }, { key: "refusals.of_a_newer_server" }] })).toBe(message);
  expect(told({ message, said: [{ key: "toString" }] })).toBe(message);
});
