/** What the server says about a writing HIT, whatever is written: its terms, its context, its attempts. */

/** A bonus in the server's words. `needs_check`: it depends on what other people confirm. */
export interface Bonus {
  words: string;
  needs_check: boolean;
}

/** The part of `task_config.json` that the pages of all kinds read. Amounts are US cents. */
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

export interface Context {
  id: string;
  title: string;
  text: string;
}

export interface Task {
  context: Context;
  hit: string;
}

export type FlagReason = "ai_was_right" | "context_problem" | "other";

/** What a writer says of a win, by field. */
export type Explanation = Readonly<Record<string, string>>;

export interface Attempt<Work = unknown, Prediction = unknown, Scores = unknown> {
  attempt_id: string;
  work: Work;
  prediction: Prediction;
  scores: Scores;
  fooled: boolean;
  retracted: boolean;
  flag: { reason: FlagReason; note: string } | null;
  explanation: Explanation | null;
  /** Why a reviewer looks at it before it counts; `admitted` is what the reviewer said. */
  doubts: readonly string[] | null;
  admitted: boolean | null;
  created_at: string;
}

/** A reviewer has to look at it first, or did and does not let it count. */
export function isHeldBack({ doubts, admitted }: Attempt): boolean {
  return doubts !== null && admitted !== true;
}

export interface Standing {
  wins: number;
  tries_left: number;
  complete: boolean;
  seconds_left: number | null;
  /** What the wins bring once the HIT is handed in and confirmed, and what other people may add to that. */
  bonus_cents: number;
  possible_bonus_cents: number;
  /** Other people will check what is written here. */
  is_checked: boolean;
  /** While time is left, so many more tries and explanations come before the HIT can be handed in. */
  tries_missing: number;
  explanations_missing: number;
}

export interface Hit<Made extends Attempt = Attempt> extends Standing {
  attempts: readonly Made[];
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return typeof task?.context?.text === "string" && typeof task.context.id === "string";
}
