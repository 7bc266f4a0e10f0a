/**
 * A validator's work on one HIT, as a reducer: which question is on show, what is marked but not saved, what is saved.
 *
 * An answer key belongs to one answer to one question. Saving the same answer again, after an error or a reload, uses the
 * same key, and the server keeps it once.
 */

import type { Problem } from "../../crowd/packets";
import type { Span } from "../../passage/tokens";
import type { Hit, Task, Vote } from "./hit";

/** An answer that the server does not have yet. */
export interface Unsaved {
  answer: Span | null;
  typed: string;
  cannot: boolean;
  answerKey: string | null;
}

export interface Draft {
  current: string;
  unsaved: Readonly<Record<string, Unsaved>>;
  feedback: string;
}

export interface Work extends Draft {
  task: Task;
  hit: Hit;
  /** The question whose answer is on its way. */
  saving: string | null;
  problem: Problem | null;
}

export type Action =
  | { type: "marked"; answer: Span | null }
  | { type: "typed"; typed: string; answer: Span | null }
  | { type: "judged"; cannot: boolean }
  | { type: "sent"; item: string; answerKey: string }
  | { type: "saved"; item: string; answerKey: string; hit: Hit }
  | { type: "failed"; item: string; problem: Problem }
  | { type: "complained"; problem: Problem }
  | { type: "went"; item: string }
  | { type: "commented"; feedback: string };

const NOTHING: Unsaved = { answer: null, typed: "", cannot: false, answerKey: null };

/** Back at the question that was on show, or at the first one without an answer. Drafts of other HITs are left out. */
export function restored(task: Task, hit: Hit, draft: Draft | null): Work {
  const ids = new Set(task.items.map(({ id }) => id));
  const unsaved = Object.fromEntries(Object.entries(draft?.unsaved ?? {}).filter(([id]) => ids.has(id)));
  const open = task.items.find(({ id }) => hit.votes[id] === undefined) ?? task.items[0]!;
  const current = draft !== null && ids.has(draft.current) ? draft.current : open.id;
  return { task, hit, current, unsaved, feedback: draft?.feedback ?? "", saving: null, problem: null };
}

export function draftOf({ current, unsaved, feedback }: Draft): Draft {
  return { current, unsaved, feedback };
}

/** What stands in the answer fields of a question: what is not saved yet, or else what is saved. */
export function shownAnswer(work: Work, item: string): Unsaved {
  const vote = work.hit.votes[item];
  return work.unsaved[item] ?? (vote === undefined ? NOTHING : fromVote(vote));
}

export function isAnswered(work: Work, item: string): boolean {
  return work.hit.votes[item] !== undefined;
}

export function answeredCount(work: Work): number {
  return work.task.items.filter(({ id }) => isAnswered(work, id)).length;
}

/** The questions with an answer on this page that differs from the saved one, by their place in the HIT. */
export function unsavedPlaces(work: Work): number[] {
  return work.task.items.flatMap(({ id }, index) => (id in work.unsaved ? [index + 1] : []));
}

/** The next question without an answer, in order and around the end; null if all are answered. */
export function nextOpen(work: Work, item: string): string | null {
  const ids = work.task.items.map(({ id }) => id);
  const here = ids.indexOf(item);
  return [...ids.slice(here + 1), ...ids.slice(0, here)].find((id) => !isAnswered(work, id)) ?? null;
}

export function reduce(work: Work, action: Action): Work {
  switch (action.type) {
    case "marked":
      return edit(work, { answer: action.answer, typed: "", cannot: false });
    case "typed":
      return edit(work, { answer: action.answer, typed: action.typed, cannot: false });
    case "judged":
      return edit(work, { answer: null, typed: "", cannot: action.cannot });
    case "sent": {
      const sent = { ...shownAnswer(work, action.item), answerKey: action.answerKey };
      return { ...work, unsaved: { ...work.unsaved, [action.item]: sent }, saving: action.item, problem: null };
    }
    case "saved":
      return saved(work, action.item, action.answerKey, action.hit);
    case "failed":
      return { ...work, saving: null, problem: action.problem };
    case "complained":
      return { ...work, problem: action.problem };
    case "went":
      return { ...work, current: action.item, problem: null };
    case "commented":
      return { ...work, feedback: action.feedback };
  }
}

function edit(work: Work, change: Omit<Unsaved, "answerKey">): Work {
  if (work.saving === work.current) {
    return work;
  }
  return { ...work, unsaved: { ...work.unsaved, [work.current]: { ...change, answerKey: null } }, problem: null };
}

/** The next question without an answer comes up by itself, unless the worker has gone elsewhere meanwhile. */
function saved(work: Work, item: string, answerKey: string, hit: Hit): Work {
  const { [item]: draft, ...others } = work.unsaved;
  const unsaved = draft === undefined || draft.answerKey === answerKey ? others : work.unsaved;
  const now = { ...work, hit, unsaved, saving: null, problem: null };
  return work.current === item ? { ...now, current: nextOpen(now, item) ?? item } : now;
}

function fromVote({ answer }: Vote): Unsaved {
  return { answer, typed: "", cannot: answer === null, answerKey: null };
}
