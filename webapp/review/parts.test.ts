import { describe, expect, test } from "vitest";

import type { WorkersPage } from "./records";
import { cut, spanOf } from "./MarkedPassage";
import { address, parse } from "./route";
import { joined } from "./useQueue";
import { count, amount, duration, evidenceWord, flagWord, moment } from "./words";

describe("the passage is cut where answers begin and end", () => {
  const text = "Tam 𝄞 Orrin left.";
  const shown = (pieces: ReturnType<typeof cut>) =>
    pieces.map(({ from, to, by }) => [[...text].slice(from, to).join(""), by]);

  test("in code points", () => {
    expect(shown(cut([...text].length, { text: "Orrin", start: 6 }, null))).toEqual([
      ["Tam 𝄞 ", ""],
      ["Orrin", "writer"],
      [" left.", ""],
    ]);
  });

  test("where they overlap, both are told", () => {
    expect(shown(cut([...text].length, { text: "𝄞 Orrin", start: 4 }, { text: "Orrin left", start: 6 }))).toEqual([
      ["Tam ", ""],
      ["𝄞 ", "writer"],
      ["Orrin", "both"],
      [" left", "model"],
      [".", ""],
    ]);
  });

  test.each([
    [{ text: "x", start: 99 }],
    [{ text: "x".repeat(99), start: 3 }],
    [{ text: "x", start: -5 }],
    [{ text: "", start: 3 }],
  ])("a span that is not in it loses no text: %j", (span) => {
    expect(
      shown(cut([...text].length, span, null))
        .map(([piece]) => piece)
        .join(""),
    ).toBe(text);
  });
});

test.each([[null], [undefined], ["text"], [{ text: 3, start: 1 }], [{ text: "a" }], [[]], [{ text: "a", start: -1 }]])(
  "%j is no span",
  (value) => {
    expect(spanOf(value)).toBeNull();
  },
);

test.each(["A1", "A3/<b>ILE", "ü #%", "../.."])("the worker %j can stand in an address", (worker) => {
  expect(parse(address("workers", worker, "3f"))).toEqual({ tab: "workers", worker, assignment: "3f" });
});

test.each(["", "#", "#/", "#/nothing", "#/%E0%A4%A"])("the address %j is the list of workers", (hash) => {
  expect(parse(hash)).toEqual({ tab: "workers", worker: null, assignment: null });
});

test("a worker who moved to the next page meanwhile is shown once", () => {
  const page = (after: string | null, ...names: string[]) =>
    ({ workers: names.map((worker) => ({ worker })), left: 0, after }) as unknown as WorkersPage;
  const both = joined(page("1 b", "a", "b"), page(null, "a", "c"));
  expect(both.workers.map(({ worker }) => worker)).toEqual(["a", "b", "c"]);
  expect(both.after).toBeNull();
});

test("times and amounts are told as people read them", () => {
  expect(duration("2026-01-01T00:00:00Z", "2026-01-01T00:00:59.4Z")).toBe("59 s");
  expect(duration("2026-01-01T00:00:00Z", "2026-01-01T00:02:05Z")).toBe("2 min 5 s");
  expect(duration("2026-01-01T00:00:00Z", "2026-01-01T03:02:05Z")).toBe("3 h 2 min");
  expect(duration("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z")).toBe("0 s");
  expect(moment("2026-01-31T10:05:59.123456+01:00")).toBe("2026-01-31 09:05 UTC");
  expect([count(1, "HIT"), count(0, "HIT"), amount(2250)]).toEqual(["1 HIT", "0 HITs", "$22.50"]);
});

test("signs and reports speak of the kind of task", () => {
  const words = { work: "hypothesis", works: "hypotheses", context: "premise", contexts: "premises", faults: [] };
  expect(evidenceWord("copies_context", words)).toBe("Copies the premise");
  expect(evidenceWord("repeats_own", words)).toBe("Repeats the worker’s own hypothesis");
  expect(evidenceWord("never_heard_of", words)).toBe("Never heard of");
  expect(flagWord("context_problem", words)).toBe("something is wrong with the premise");
});
