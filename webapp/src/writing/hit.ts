/** What the server says about a writing HIT, whatever is written: its terms, its context, its attempts. */

import type { Attempt as AttemptRecord, Flag, Standing, Task as TaskRecord } from "./records";

/** A bonus, its amount in hundredths. `needs_check`: it depends on what other people confirm. */
export interface Bonus {
  kind: "win" | "verified_win" | "streak" | "verified_streak";
  cents: number;
  /** So many wins in a row, of a streak. */
  length: number;
  needs_check: boolean;
}

/** The part of `task_config.json` that the pages of all kinds read. Amounts are hundredths of the campaign's unit. */
export interface Terms {
  task_title: string;
  task_description: string;
  wins_wanted: number;
  max_wins: number;
  max_tries: number;
  /** How many works must stand before the HIT can be submitted; 0 for any, even one that was taken back. */
  min_attempts: number;
  reward_cents: number;
  bonuses: readonly Bonus[];
  /** On how many contexts other people check what is written. */
  checks: "all" | "some" | "none";
  time_limit_seconds: number;
}

export type FlagReason = Flag["reason"];

/** What a writer says of a win, by field. */
export type Explanation = Readonly<Record<string, string>>;

/** What it asks for beside its context is the kind's. */
export type Task = Omit<TaskRecord, "brief">;

/** With the work, the prediction and the scores of a kind; these two are empty where there is no verdict (`isUnseen`). */
export interface Attempt<Work = unknown, Prediction = unknown, Scores = unknown>
  extends Omit<AttemptRecord, "work" | "prediction" | "scores" | "explanation"> {
  work: Work;
  prediction: Prediction;
  scores: Scores;
  explanation: Explanation | null;
}

/** The HIT shows its writer no verdict. */
export function isUnseen({ fooled }: Attempt): boolean {
  return fooled === null;
}

/** A reviewer has to look at it first, or did and does not let it count. */
export function isHeldBack({ doubts, admitted }: Attempt): boolean {
  return doubts !== null && admitted !== true;
}

export interface Hit<Made extends Attempt = Attempt> extends Standing {
  attempts: readonly Made[];
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return typeof task?.context?.text === "string" && typeof task.context.id === "string";
}
