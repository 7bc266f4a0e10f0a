/** Written by `make webapp` from beat_the_ai.writing.page: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  Context: Context;
  ArmPage: ArmPage;
  Task: Task;
  Flag: Flag;
  Attempt: Attempt;
  Suggestion: Suggestion;
  SuggestionState: SuggestionState;
  Standing: Standing;
}
/**
 * The subject of a HIT, without its private parts.
 */
export interface Context {
  id: string;
  title: string;
  text: string;
}
/**
 * The page of an arm's writers: `config` and `words`, by language, stand in the place of all writers'.
 *
 * With `suggests` they are shown suggestions.
 */
export interface ArmPage {
  config: {
    [k: string]: unknown;
  };
  words: {
    [k: string]: unknown;
  };
  suggests: boolean;
}
/**
 * The page's initial data. `hit` is the assignment; `brief` is the kind's particular demand.
 */
export interface Task {
  hit: string;
  context: Context;
  brief: {
    [k: string]: unknown;
  };
  arm: ArmPage | null;
}
/**
 * The writer's report on a verdict.
 */
export interface Flag {
  reason: "ai_was_right" | "context_problem" | "other";
  note: string;
}
/**
 * An attempt; `work`, `prediction` and `scores` are the kind's.
 *
 * A writer whom the HIT shows no model gets no verdict (`fooled` is None) and nothing that tells of one.
 *
 * `doubts` are the reasons why a reviewer looks at it before it counts; `admitted` is what the reviewer said.
 */
export interface Attempt {
  attempt_id: string;
  work: {
    [k: string]: unknown;
  };
  prediction: {
    [k: string]: unknown;
  };
  scores: {
    [k: string]: unknown;
  };
  fooled: boolean | null;
  retracted: boolean;
  flag: Flag | null;
  explanation: {
    [k: string]: unknown;
  } | null;
  doubts: string[] | null;
  admitted: boolean | null;
  created_at: string;
}
/**
 * A suggestion of a model, with the fields of a work that it has; `ordinal` counts those that were shown.
 */
export interface Suggestion {
  ordinal: number;
  work: {
    [k: string]: unknown;
  };
}
/**
 * The suggestions that were shown in a HIT, in their order, and whether there are `more`.
 */
export interface SuggestionState {
  suggestions: Suggestion[];
  more: boolean;
}
/**
 * The state of a HIT without its attempts, which a page that has just submitted one has already.
 *
 * `bonus_cents` come with the wins once the HIT is submitted and confirmed; other people may add up to
 * `possible_bonus_cents`. `is_checked`: they will check what is written here. While time is left, the HIT can be
 * submitted after `tries_missing` more tries and `explanations_missing` more explanations.
 */
export interface Standing {
  wins: number;
  tries_left: number;
  complete: boolean;
  seconds_left: number;
  bonus_cents: number;
  possible_bonus_cents: number;
  is_checked: boolean;
  tries_missing: number;
  explanations_missing: number;
}
