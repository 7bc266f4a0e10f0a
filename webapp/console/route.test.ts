import { expect, test } from "vitest";

import { attemptAddress, figuresAddress, parse, peopleAddress, reviewAddress, startAddress, titleOf, verdictsAddress } from "./route";

test("an address says what is shown", () => {
  expect(parse("")).toMatchObject({ campaign: null, tab: "figures", attempt: null });
  expect(parse(figuresAddress("a b/c"))).toMatchObject({ campaign: "a b/c", tab: "figures" });
  expect(parse(attemptAddress("pilot", "3f"))).toMatchObject({ campaign: "pilot", tab: "verdicts", attempt: "3f" });
  const filters = { model: "a & b", outcome: "beaten", label: "", category: "news", only: "held" };
  expect(parse(verdictsAddress("pilot", filters))).toMatchObject({ attempt: null, filters });
  const listed = { sort: "-wins", page: "2" };
  expect(parse(peopleAddress("pilot", listed))).toMatchObject({ tab: "workers", listed });
});

test("a campaign that is being started has an address that no campaign can have", () => {
  expect(parse(startAddress("3f"))).toMatchObject({ campaign: null, start: "3f" });
  expect(parse(figuresAddress("3f"))).toMatchObject({ campaign: "3f", start: null });
});

test("what is no address shows the start", () => {
  expect(parse("#/%E0%A4%A")).toMatchObject({ campaign: null });
});

test("a place in the review is named like the page's own", () => {
  expect(reviewAddress("pilot", "workers", "A3/<b>")).toBe("review/pilot/#/workers/A3%2F%3Cb%3E");
});

test("each place has a title of its own, the narrowest first", () => {
  const places: [string, string | null][] = [["", null], [startAddress("3f"), null], [peopleAddress("pilot"), "pilot"], [attemptAddress("pilot", "3f"), "pilot"]];
  expect(places.map(([address, campaign]) => titleOf(parse(address), campaign))).toEqual([
    "Campaigns – Console – Beat the AI",
    "New campaign – Console – Beat the AI",
    "Workers – pilot – Console – Beat the AI",
    "A HIT – pilot – Console – Beat the AI",
  ]);
});
