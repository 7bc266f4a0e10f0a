/** What the server says about a validation HIT: its terms, its passages, its questions, the answers so far. */

import type { Span } from "../../passage/tokens";
import { termsOf } from "../../work/terms";

/** The part of `task_config.json` that this page reads. Amounts are US cents. */
export interface Terms {
  task_title: string;
  task_description: string;
  works_per_hit: number;
  reward_cents: number;
  time_limit_seconds: number;
  max_answer_words: number;
}

const DEFAULT_TERMS: Terms = {
  task_title: "Find the answer",
  task_description: "",
  works_per_hit: 8,
  reward_cents: 100,
  time_limit_seconds: 3600,
  max_answer_words: 30,
};

export interface Context {
  id: string;
  title: string;
  text: string;
}

export interface Item {
  id: string;
  context_id: string;
  work: { question: string };
}

export interface Task {
  hit: string;
  contexts: readonly Context[];
  items: readonly Item[];
}

/** `answer` is null where the worker says that the question cannot be answered. */
export interface Vote {
  answer: Span | null;
}

export type Votes = Readonly<Record<string, Vote>>;

export interface Hit {
  votes: Votes;
  complete: boolean;
  seconds_left: number | null;
}

export function readTerms(config: Readonly<Record<string, unknown>>): Terms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return Array.isArray(task?.contexts) && Array.isArray(task.items) && task.items.length > 0;
}
