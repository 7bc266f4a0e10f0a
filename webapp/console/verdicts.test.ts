import { expect, test } from "vitest";

import { joined } from "./feeds";
import type { Feed, Verdict } from "./records";

const feed = (names: string, before: string | null) =>
  ({ verdicts: [...names].map((attempt) => ({ attempt }) as Verdict), before }) as Feed;
const names = ({ verdicts }: Feed) => verdicts.map(({ attempt }) => attempt).join("");

test("newer verdicts stand before those that were shown", () => {
  const all = joined(feed("edc", "c"), feed("cba", "a"));
  expect([names(all), all.before]).toEqual(["edcba", "a"]);
});

test("verdicts behind a gap are asked for again", () => {
  const all = joined(feed("ihg", "g"), feed("cba", "a"));
  expect([names(all), all.before]).toEqual(["ihg", "g"]);
});

test("a first page that is all there is takes the place of what was shown", () => {
  const all = joined(feed("cb", null), feed("b", null));
  expect([names(all), all.before]).toEqual(["cb", null]);
});
