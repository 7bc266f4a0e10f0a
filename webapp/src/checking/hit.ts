/** What the server says about a HIT in which works of others are checked: terms, contexts, items, votes so far. */

import type { Context } from "../writing/hit";

/** The part of `task_config.json` that the pages of all kinds read. Amounts are US cents. */
export interface Terms {
  task_title: string;
  task_description: string;
  /** Items in a HIT, whatever they are. */
  works_per_hit: number;
  reward_cents: number;
  time_limit_seconds: number;
}

/** `Shown` is what validators see of a work. */
export interface Item<Shown> {
  id: string;
  context_id: string;
  work: Shown;
}

export interface Task<Shown = unknown> {
  hit: string;
  contexts: readonly Context[];
  items: readonly Item<Shown>[];
}

export interface Hit<Vote> {
  votes: Readonly<Record<string, Vote>>;
  /** By item, of works that are shown step by step: what was shown until now. */
  revealed: Readonly<Record<string, unknown>>;
  complete: boolean;
  seconds_left: number | null;
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return Array.isArray(task?.contexts) && Array.isArray(task.items) && task.items.length > 0;
}
