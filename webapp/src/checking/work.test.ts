import { expect, test } from "vitest";

import type { Hit, Task } from "./hit";
import { type Draft, type Work, draftOf, nextOpen, reduce, restored, unsavedPlaces } from "./work";

interface Vote {
  answer: string;
}

const TASK: Task = {
  hit: "h",
  contexts: [{ id: "c", title: "", text: "Rome fell in 476." }],
  items: ["a", "b", "c"].map((id) => ({ id, context_id: "c", work: { question: `${id}?` } })),
};
const ENTRY = { typed: "476" };
const SENT = { type: "sent", item: "a", entry: ENTRY, voteKey: "k" } as const;
const hit = (...answered: string[]): Hit<Vote> => ({
  votes: Object.fromEntries(answered.map((id) => [id, { answer: "476" }])),
  revealed: {},
  complete: answered.length === TASK.items.length,
  seconds_left: 60,
});
const start = (...answered: string[]) => restored<Vote, typeof ENTRY>(TASK, hit(...answered), null);
const edited = (work: Work<Vote, typeof ENTRY>, entry = ENTRY) => reduce(work, { type: "edited", entry });

test("work begins at the first item without a vote", () => {
  expect(start().current).toBe("a");
  expect(start("a").current).toBe("b");
  expect(start("a", "b", "c").current).toBe("a");
});

test("a saved vote brings up the next open item", () => {
  const sent = reduce(edited(start("b")), SENT);
  const saved = reduce(sent, { type: "saved", item: "a", voteKey: "k", hit: hit("a", "b") });
  expect([saved.current, saved.saving, unsavedPlaces(saved)]).toEqual(["c", null, []]);
});

test("nobody who went elsewhere meanwhile is taken away from there", () => {
  const away = reduce(reduce(edited(start()), SENT), { type: "went", item: "c" });
  expect(reduce(away, { type: "saved", item: "a", voteKey: "k", hit: hit("a") }).current).toBe("c");
});

test("while a vote is on its way it stays as it is", () => {
  const sent = reduce(edited(start()), SENT);
  expect(edited(sent, { typed: "467" })).toBe(sent);
});

test("an error keeps what was said and its key", () => {
  const problem = { code: "invalid", field: "answer", message: "no" };
  const failed = reduce(reduce(edited(start()), SENT), { type: "failed", item: "a", problem, standing: null });
  expect(failed.unsaved.a).toEqual({ entry: ENTRY, voteKey: "k" });
  expect(edited(failed).unsaved.a?.voteKey).toBeNull();
});

test("the search for an open item goes around the end", () => {
  expect(nextOpen(start("c"), "b")).toBe("a");
  expect(nextOpen(start("a", "c"), "b")).toBeNull();
});

test("a draft is taken up where it was left, without what belongs to another HIT", () => {
  const draft: Draft<typeof ENTRY> = draftOf(edited(reduce(start(), { type: "went", item: "b" })));
  const foreign = { ...draft, unsaved: { ...draft.unsaved, x: draft.unsaved.b! } };
  const again = restored(TASK, hit(), foreign);
  expect([again.current, Object.keys(again.unsaved)]).toEqual(["b", ["b"]]);
  expect(restored(TASK, hit(), { ...draft, current: "x" }).current).toBe("a");
});

test("what another page has saved for good is what is shown, once this one hears of it", () => {
  const problem = { code: "refused", field: null, message: "the first answer stands" };
  const failed = reduce(reduce(edited(start()), SENT), { type: "failed", item: "a", problem, standing: hit("a") });
  expect([failed.problem, Object.keys(failed.unsaved), failed.hit.votes.a]).toEqual([problem, [], { answer: "476" }]);
});

test("a draft of what is saved for good is none", () => {
  const draft = draftOf(edited(start()));
  expect(Object.keys(restored(TASK, hit("a"), draft).unsaved)).toEqual(["a"]);
  expect(restored(TASK, hit("a"), draft, true).unsaved).toEqual({});
  expect(Object.keys(restored(TASK, hit("b"), draft, true).unsaved)).toEqual(["a"]);
});
