import { expect, test } from "vitest";

import { parts } from "./marks";

const written = (...found: Parameters<typeof parts>) =>
  parts(...found)
    .map(({ text, marked }) => (marked ? `[${text}]` : text))
    .join("|");

test("marks are places in code points", () => {
  expect(written("𝄞 of a clef", [{ start: 2, end: 4 }, { start: 7, end: 11 }])).toBe("𝄞 |[of]| a |[clef]"); // prettier-ignore
  expect(written("𝄞𝄞", [{ start: 1, end: 2 }])).toBe("𝄞|[𝄞]");
  expect(written("plain", [])).toBe("plain");
});

test("a part of the text has the marks that lie in it", () => {
  const text = "One two. Three four.";
  const marks = [
    { start: 4, end: 7 },
    { start: 9, end: 14 },
  ];
  expect(written(text, marks, { start: 0, end: 8 })).toBe("One |[two]|.");
  expect(written(text, marks, { start: 9, end: 20 })).toBe("[Three]| four.");
});

test("marks that overlap or lie outside repeat and lose nothing", () => {
  const all = (marks: Parameters<typeof parts>[1]) => parts("abcdef", marks).map(({ text }) => text).join(""); // prettier-ignore
  expect(all([{ start: 0, end: 3 }, { start: 2, end: 4 }])).toBe("abcdef"); // prettier-ignore
  expect(all([{ start: 4, end: 99 }])).toBe("abcdef");
  expect(all([{ start: 50, end: 99 }])).toBe("abcdef");
});
