import { expect, test } from "vitest";

import type { Hit, Task } from "./hit";
import { type Draft, type Work, draftOf, nextOpen, reduce, restored, shownAnswer, unsavedPlaces } from "./work";

const TASK: Task = {
  hit: "h",
  contexts: [{ id: "c", title: "", text: "Rome fell in 476." }],
  items: ["a", "b", "c"].map((id) => ({ id, context_id: "c", work: { question: `${id}?` } })),
};
const ANSWER = { text: "476", start: 13 };
const hit = (...answered: string[]): Hit => ({
  votes: Object.fromEntries(answered.map((id) => [id, { answer: ANSWER }])),
  complete: answered.length === TASK.items.length,
  seconds_left: 60,
});
const start = (...answered: string[]) => restored(TASK, hit(...answered), null);
const marked = (work: Work) => reduce(work, { type: "marked", answer: ANSWER });

test("work begins at the first question without an answer", () => {
  expect(start().current).toBe("a");
  expect(start("a").current).toBe("b");
  expect(start("a", "b", "c").current).toBe("a");
});

test("a saved answer brings up the next open question", () => {
  const sent = reduce(marked(start("b")), { type: "sent", item: "a", answerKey: "k" });
  const saved = reduce(sent, { type: "saved", item: "a", answerKey: "k", hit: hit("a", "b") });
  expect([saved.current, saved.saving, unsavedPlaces(saved)]).toEqual(["c", null, []]);
  expect(shownAnswer(saved, "a")).toMatchObject({ answer: ANSWER, cannot: false });
});

test("nobody who went elsewhere meanwhile is taken away from there", () => {
  const sent = reduce(marked(start()), { type: "sent", item: "a", answerKey: "k" });
  const away = reduce(sent, { type: "went", item: "c" });
  expect(reduce(away, { type: "saved", item: "a", answerKey: "k", hit: hit("a") }).current).toBe("c");
});

test("while an answer is on its way it stays as it is", () => {
  const sent = reduce(marked(start()), { type: "sent", item: "a", answerKey: "k" });
  expect(reduce(sent, { type: "judged", cannot: true })).toBe(sent);
});

test("an error keeps the answer and its key", () => {
  const sent = reduce(marked(start()), { type: "sent", item: "a", answerKey: "k" });
  const problem = { code: "invalid", field: "answer", message: "no" };
  const failed = reduce(sent, { type: "failed", item: "a", problem });
  expect(failed.unsaved["a"]).toMatchObject({ answer: ANSWER, answerKey: "k" });
  expect(marked(failed).unsaved["a"]?.answerKey).toBeNull();
});

test("marking and 'cannot be answered' exclude each other", () => {
  const cannot = reduce(marked(start()), { type: "judged", cannot: true });
  expect(shownAnswer(cannot, "a")).toMatchObject({ answer: null, cannot: true });
  expect(shownAnswer(marked(cannot), "a")).toMatchObject({ answer: ANSWER, cannot: false });
});

test("the search for an open question goes around the end", () => {
  expect(nextOpen(start("c"), "b")).toBe("a");
  expect(nextOpen(start("a", "c"), "b")).toBeNull();
});

test("a draft is taken up where it was left, without what belongs to another HIT", () => {
  const draft: Draft = draftOf(marked(reduce(start(), { type: "went", item: "b" })));
  const foreign = { ...draft, unsaved: { ...draft.unsaved, x: draft.unsaved["b"]! } };
  const again = restored(TASK, hit(), foreign);
  expect([again.current, Object.keys(again.unsaved)]).toEqual(["b", ["b"]]);
  expect(restored(TASK, hit(), { ...draft, current: "x" }).current).toBe("a");
});
