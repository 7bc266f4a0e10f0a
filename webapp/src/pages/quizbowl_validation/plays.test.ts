import { expect, test } from "vitest";

import { NO_PLAY, entryOf, findProblem, isPlayEntry, playOf } from "./plays";

test("an answer is what was said, or nothing", () => {
  expect(playOf({ buzzed: true, said: " Jane Eyre ", unknown: false })).toEqual({ said: "Jane Eyre" });
  expect(playOf({ buzzed: true, said: "Jane Eyre", unknown: true })).toEqual({ said: null });
});

test.each([{ said: "Emma" }, { said: null }])("%j comes back as it was saved", (play) => {
  expect(playOf(entryOf(play))).toEqual(play);
});

test("nothing is sent before something is said", () => {
  expect(findProblem(NO_PLAY)?.field).toBe("said");
  expect(findProblem({ ...NO_PLAY, said: "  " })?.field).toBe("said");
  expect(findProblem({ ...NO_PLAY, said: "x".repeat(201) })?.message).toContain("200");
  expect(findProblem({ ...NO_PLAY, unknown: true })).toBeNull();
  expect(findProblem({ ...NO_PLAY, said: "Emma" })).toBeNull();
});

test("rubbish is no draft of one", () => {
  for (const rubbish of [null, undefined, {}, { said: 1, buzzed: true, unknown: false }, { said: "Emma" }]) {
    expect(isPlayEntry(rubbish)).toBe(false);
  }
  expect(isPlayEntry(NO_PLAY)).toBe(true);
});
