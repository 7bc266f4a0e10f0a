import { expect, test } from "vitest";

import { HEIGHT, WIDTH, longest, paths, pointsOf } from "./plot";

test("an edit is a point: its length, and where the AI was first right", () => {
  const edit = { ordinal: 1, attempt: 1, cause: "pause", at: "", draft: { text: "One two three.", answer: "Loom" } } as const; // prettier-ignore
  const hint = { words: 3, guesses: [], rank: null, first_right: 2, right_from: 3, evidence: [], saliency: [] };
  expect(pointsOf([{ ...edit, hint: null }, { ...edit, hint }])).toEqual([
    { length: 3, buzz: null },
    { length: 3, buzz: 2 },
  ]);
});

test("the second line is interrupted where the AI was not right, and one alone is a dot", () => {
  const points = [0, 4, 2, null, 3].map((buzz) => ({ length: 4, buzz }));
  const { length, buzz } = paths(points);
  expect(length).toBe(`M0 0L${WIDTH / 4} 0L${WIDTH / 2} 0L${(WIDTH * 3) / 4} 0L${WIDTH} 0`);
  expect(buzz).toBe(`M0 ${HEIGHT}L${WIDTH / 4} 0L${WIDTH / 2} ${HEIGHT / 2}M${WIDTH} ${HEIGHT / 4}h0.1`);
});

test("nothing and one edit can be drawn", () => {
  expect([paths([]), longest([])]).toEqual([{ length: "", buzz: "" }, 1]);
  expect(paths([{ length: 5, buzz: null }])).toEqual({ length: "M0 0h0.1", buzz: "" });
});
