import { describe, expect, it } from "vitest";

import { mayBuzz, signed, speakerOf, statusOf } from "./course";
import type { CountedBuzz, Match, Played, Tossup } from "./records";

const match: Match = { room: "A", teams: ["owls", "jays"], models: ["bot"], tossups: 20, ended: false };
const tossup: Tossup = { number: 3, text: "This man", words_read: 2, over: false, floor: null, buzzes: [] };
const buzz: CountedBuzz = { side: "owls", player: "Ada", word: 2, said: "Plato", right: false, points: -5 };
const played = [{ answer: "Kant" } as Played];

describe("the course of a tossup", () => {
  it("is told in a sentence", () => {
    const told = (changes: Partial<Tossup>) => statusOf({ match, tossup: { ...tossup, ...changes }, played });
    expect(statusOf({ match, tossup: null, played: [] })).toBe("The match has not begun.");
    expect(told({})).toBe("Tossup 3 of 20 is being read.");
    expect(told({ floor: buzz })).toBe("Ada of owls has the floor.");
    expect(told({ buzzes: [buzz] })).toBe("owls was wrong. Tossup 3 of 20 is being read.");
    expect(told({ buzzes: [{ ...buzz, right: true }], over: true })).toBe("Ada of owls is right: Kant");
    expect(told({ over: true })).toBe("Nobody got it: Kant");
    expect(statusOf({ match: { ...match, ended: true }, tossup, played })).toBe("The match is over.");
  });

  it("lets a team buzz once, while words are read and nobody has the floor", () => {
    expect(mayBuzz(match, tossup, "owls")).toBe(true);
    expect(mayBuzz(match, null, "owls")).toBe(false);
    expect(mayBuzz(match, { ...tossup, words_read: 0 }, "owls")).toBe(false);
    expect(mayBuzz(match, { ...tossup, floor: buzz }, "jays")).toBe(false);
    expect(mayBuzz(match, { ...tossup, buzzes: [buzz] }, "owls")).toBe(false);
    expect(mayBuzz(match, { ...tossup, buzzes: [buzz] }, "jays")).toBe(true);
    expect(mayBuzz(match, { ...tossup, over: true }, "jays")).toBe(false);
    expect(mayBuzz({ ...match, ended: true }, tossup, "jays")).toBe(false);
  });

  it("has models that speak for themselves, and points with signs", () => {
    expect(speakerOf({ side: "bot", player: "bot" })).toBe("bot");
    expect([15, 0, -5].map(signed)).toEqual(["+15", "0", "−5"]);
  });
});
