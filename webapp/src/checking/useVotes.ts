/** A validator's work and the server: every change is kept as a draft, every vote is sent under its key. */

import { useLayoutEffect, useReducer } from "react";

import { newId } from "../crowd/ids";
import type { Desk } from "../pages/page";
import type { Drafts } from "./drafts";
import type { Hit, Task } from "./hit";
import type { CheckingKind } from "./kind";
import { type Action, type Work, draftOf, isDone, nextOpen, reduce, restored } from "./work";

export interface Votes<Vote, Entry> {
  work: Work<Vote, Entry>;
  /** What stands in the fields of the item on show: what is not saved yet, or else what is saved. */
  entry: Entry;
  change: (action: Action<Vote, Entry>) => void;
  edit: (change: Partial<Entry>) => void;
  /** Saves what is on show; what is saved already merely brings up the next open item. */
  save: () => void;
}

export function useVotes<Vote, Entry>(
  desk: Desk,
  drafts: Drafts<Entry>,
  task: Task,
  kind: Pick<CheckingKind<never, Vote, Entry>, "empty" | "entryOf" | "voteOf" | "findProblem" | "isReady" | "final">,
  initial: Hit<Vote>,
): Votes<Vote, Entry> {
  const [work, change] = useReducer(reduce<Vote, Entry>, null, () =>
    restored(task, initial, drafts.load(), kind.final),
  );
  const { current, unsaved, feedback } = work;
  useLayoutEffect(() => {
    drafts.save(draftOf({ current, unsaved, feedback }));
  }, [drafts, current, unsaved, feedback]);

  const known = work.hit.votes[current];
  const entry = unsaved[current]?.entry ?? (known === undefined ? kind.empty : kind.entryOf(known));
  const send = async (item: string, voteKey: string) => {
    const args = { item_id: item, vote_key: voteKey, vote: kind.voteOf(entry) };
    const reply = await desk.call<{ hit: Hit<Vote> }>("vote", args);
    if (reply.ok) {
      change({ type: "saved", item, voteKey, hit: reply.hit });
      return;
    }
    const standing = kind.final ? await desk.call<{ hit: Hit<Vote> }>("state", {}) : null;
    const found = standing?.ok ? standing.hit : null;
    change({ type: "failed", item, problem: reply.error, standing: found });
  };
  const save = () => {
    const problem = kind.findProblem(entry);
    if (work.saving !== null || kind.isReady?.(current, entry) === false) {
      return;
    }
    if (problem !== null) {
      change({ type: "complained", problem });
    } else if (!(current in unsaved) && isDone(work, current)) {
      change({ type: "went", item: nextOpen(work, current) ?? current });
    } else {
      const voteKey = unsaved[current]?.voteKey ?? newId();
      change({ type: "sent", item: current, entry, voteKey });
      void send(current, voteKey);
    }
  };
  return { work, entry, change, edit: (part) => change({ type: "edited", entry: { ...entry, ...part } }), save };
}
