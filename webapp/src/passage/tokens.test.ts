import { describe, expect, test } from "vitest";

import borders from "./borders.json";
import { codePointLength } from "./codePoints";
import { nextWord, rangeOf, snap, spanOf, tokenise } from "./tokens";

const words = (text: string) => tokenise(text).map((token) => token.text);

describe("tokenise", () => {
  test("splits words from punctuation and keeps inner apostrophes and decimal points", () => {
    expect(words("O'Brien's engine, of 1712, cost 3.5 pounds.")).toEqual([
      "O'Brien",
      "'s",
      "engine",
      ",",
      "of",
      "1712",
      ",",
      "cost",
      "3.5",
      "pounds",
      ".",
    ]);
  });

  test("keeps an amount with its sign", () => {
    expect(words("They pay $2.00 or 40% more")).toEqual(["They", "pay", "$2.00", "or", "40%", "more"]);
  });

  test("counts code points beside UTF-16 units", () => {
    const [clef, word] = tokenise("𝄞 music");
    expect(clef).toMatchObject({ from: 0, to: 2, start: 0, end: 1 });
    expect(word).toMatchObject({ from: 3, to: 8, start: 2, end: 7 });
  });

  test("keeps combining marks and joined emoji whole", () => {
    expect(words("cafe\u0301 👩‍🚀 नमस्ते")).toEqual(["cafe\u0301", "👩‍🚀", "नमस्ते"]);
  });

  test("finds words in Arabic, Hebrew and Chinese", () => {
    expect(words("שלום עולם")).toEqual(["שלום", "עולם"]);
    expect(words("السلام، عليكم")).toEqual(["السلام", "،", "عليكم"]);
    expect(words("我喜欢音乐").length).toBeGreaterThan(1);
  });

  test("every token is what the text says at its code points", () => {
    const text = "A 𝄞 clef — “cafe\u0301” 😀😀, 東京 שלום.\n\nNext";
    const points = [...text];
    for (const token of tokenise(text)) {
      expect(points.slice(token.start, token.end).join("")).toBe(token.text);
      expect(text.slice(token.from, token.to)).toBe(token.text);
    }
  });
});

describe("an answer cuts words, as the server sees it too", () => {
  test.each(borders)("$span of $text: $cuts", ({ text, span, cuts }) => {
    const start = codePointLength(text.slice(0, text.indexOf(span)));
    const end = start + codePointLength(span);
    const tokens = tokenise(text);
    const whole = tokens.some((token) => token.start === start) && tokens.some((token) => token.end === end);
    expect(whole).toBe(!cuts);
  });
});

describe("snap", () => {
  const text = "The engine, built in 1712, pumped water.";
  const tokens = tokenise(text);
  const snapped = (from: number, to: number) => {
    const range = snap(tokens, from, to);
    return range && spanOf(text, tokens, range);
  };

  test("widens to whole words", () => {
    expect(snapped(6, 14)).toEqual({ text: "engine, built", start: 4 });
  });

  test("leaves sentence punctuation at the ends out", () => {
    expect(snapped(21, 26)).toEqual({ text: "1712", start: 21 });
    expect(snapped(10, 17)).toEqual({ text: "built", start: 12 });
  });

  test("a gap alone marks nothing", () => {
    expect(snapped(3, 4)).toBeNull();
    expect(snapped(500, 600)).toBeNull();
  });

  test("punctuation alone is kept", () => {
    expect(snapped(10, 11)).toEqual({ text: ",", start: 10 });
  });
});

test("a span from the server finds its tokens again", () => {
  const text = "😀 first 𝄞 second";
  const tokens = tokenise(text);
  const span = spanOf(text, tokens, { first: 1, last: 2 });
  expect(span).toEqual({ text: "first 𝄞", start: 2 });
  expect(rangeOf(tokens, span)).toEqual({ first: 1, last: 2 });
  expect(rangeOf(tokens, { text: "x", start: 99 })).toBeNull();
  expect(rangeOf(tokens, { text: "an answer from elsewhere", start: -1 })).toBeNull();
});

test("the keyboard passes over punctuation and stops at the ends", () => {
  const tokens = tokenise("One, two.");
  expect(nextWord(tokens, 0, 1)).toBe(2);
  expect(nextWord(tokens, 2, 1)).toBe(2);
  expect(nextWord(tokens, -1, 1)).toBe(0);
  expect(nextWord(tokens, 2, -1)).toBe(0);
});
