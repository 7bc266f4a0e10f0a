/** What the server says about a HIT in which works of others are checked: terms, contexts, items, votes so far. */

import type { Hit as HitRecord, Item as ItemRecord, Task as TaskRecord } from "./records";

/** The part of `task_config.json` that the pages of all kinds read. Amounts are hundredths of the campaign's unit. */
export interface Terms {
  task_title: string;
  task_description: string;
  /** Items in a HIT, whatever they are. */
  works_per_hit: number;
  reward_cents: number;
  time_limit_seconds: number;
}

/** `Shown` is what validators see of a work. */
export interface Item<Shown> extends Omit<ItemRecord, "work"> {
  work: Shown;
}

export interface Task<Shown = unknown> extends Omit<TaskRecord, "items"> {
  items: readonly Item<Shown>[];
}

export interface Hit<Vote> extends Omit<HitRecord, "votes"> {
  votes: Readonly<Record<string, Vote>>;
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return Array.isArray(task?.contexts) && Array.isArray(task.items) && task.items.length > 0;
}
