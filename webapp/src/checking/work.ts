/**
 * A validator's work on one HIT, as a reducer: which item is on show, what is not saved yet, what is.
 *
 * A vote key belongs to one content of an item's fields. Saving the same again, after an error or a reload, uses the same
 * key, and the server keeps it once.
 */

import type { Problem } from "../crowd/packets";
import type { Hit, Task } from "./hit";

/** What the server does not have yet. */
export interface Unsaved<Entry> {
  entry: Entry;
  voteKey: string | null;
}

export interface Draft<Entry> {
  current: string;
  unsaved: Readonly<Record<string, Unsaved<Entry>>>;
  feedback: string;
}

export interface Work<Vote, Entry> extends Draft<Entry> {
  task: Task;
  hit: Hit<Vote>;
  /** The item whose vote is on its way. */
  saving: string | null;
  problem: Problem | null;
}

export type Action<Vote, Entry> =
  | { type: "edited"; entry: Entry }
  | { type: "sent"; item: string; entry: Entry; voteKey: string }
  | { type: "saved"; item: string; voteKey: string; hit: Hit<Vote> }
  /** `standing` is what the server has, where that cannot be changed any more. */
  | { type: "failed"; item: string; problem: Problem; standing: Hit<Vote> | null }
  | { type: "complained"; problem: Problem }
  | { type: "went"; item: string }
  | { type: "commented"; feedback: string };

/**
 * Back at the item that was on show, or at the first one without a vote. Drafts of other HITs are left out, and those of
 * what is saved where that is `final`.
 */
export function restored<Vote, Entry>(
  task: Task,
  hit: Hit<Vote>,
  draft: Draft<Entry> | null,
  final = false,
): Work<Vote, Entry> {
  const ids = new Set(task.items.map(({ id }) => id));
  const known = Object.fromEntries(Object.entries(draft?.unsaved ?? {}).filter(([id]) => ids.has(id)));
  const unsaved = final ? withoutSaved(known, hit) : known;
  const open = task.items.find(({ id }) => hit.votes[id] === undefined) ?? task.items[0]!;
  const current = draft !== null && ids.has(draft.current) ? draft.current : open.id;
  return { task, hit, current, unsaved, feedback: draft?.feedback ?? "", saving: null, problem: null };
}

export function draftOf<Entry>({ current, unsaved, feedback }: Draft<Entry>): Draft<Entry> {
  return { current, unsaved, feedback };
}

export function isDone<Vote>(work: Work<Vote, unknown>, item: string): boolean {
  return work.hit.votes[item] !== undefined;
}

export function doneCount<Vote>(work: Work<Vote, unknown>): number {
  return work.task.items.filter(({ id }) => isDone(work, id)).length;
}

/** The items with something on this page that differs from what is saved, by their place in the HIT. */
export function unsavedPlaces<Vote>(work: Work<Vote, unknown>): number[] {
  return work.task.items.flatMap(({ id }, index) => (id in work.unsaved ? [index + 1] : []));
}

/** The next item without a vote, in order and around the end; null if all have one. */
export function nextOpen<Vote>(work: Work<Vote, unknown>, item: string): string | null {
  const ids = work.task.items.map(({ id }) => id);
  const here = ids.indexOf(item);
  return [...ids.slice(here + 1), ...ids.slice(0, here)].find((id) => !isDone(work, id)) ?? null;
}

export function reduce<Vote, Entry>(work: Work<Vote, Entry>, action: Action<Vote, Entry>): Work<Vote, Entry> {
  switch (action.type) {
    case "edited":
      return work.saving === work.current ? work : { ...holding(work, work.current, action.entry, null), problem: null };
    case "sent": {
      const held = holding(work, action.item, action.entry, action.voteKey);
      return { ...held, saving: action.item, problem: null };
    }
    case "saved":
      return saved(work, action.item, action.voteKey, action.hit);
    case "failed": {
      const { problem, standing } = action;
      const failed = { ...work, saving: null, problem };
      return standing === null ? failed : { ...failed, hit: standing, unsaved: withoutSaved(work.unsaved, standing) };
    }
    case "complained":
      return { ...work, problem: action.problem };
    case "went":
      return { ...work, current: action.item, problem: null };
    case "commented":
      return { ...work, feedback: action.feedback };
  }
}

function withoutSaved<Entry>(unsaved: Draft<Entry>["unsaved"], hit: Hit<unknown>): Draft<Entry>["unsaved"] {
  return Object.fromEntries(Object.entries(unsaved).filter(([id]) => hit.votes[id] === undefined));
}

function holding<Vote, Entry>(
  work: Work<Vote, Entry>,
  item: string,
  entry: Entry,
  voteKey: string | null,
): Work<Vote, Entry> {
  return { ...work, unsaved: { ...work.unsaved, [item]: { entry, voteKey } } };
}

/** The next item without a vote comes up by itself, unless the worker has gone elsewhere meanwhile. */
function saved<Vote, Entry>(
  work: Work<Vote, Entry>,
  item: string,
  voteKey: string,
  hit: Hit<Vote>,
): Work<Vote, Entry> {
  const { [item]: draft, ...others } = work.unsaved;
  const unsaved = draft === undefined || draft.voteKey === voteKey ? others : work.unsaved;
  const now = { ...work, hit, unsaved, saving: null, problem: null };
  return work.current === item ? { ...now, current: nextOpen(now, item) ?? item } : now;
}
