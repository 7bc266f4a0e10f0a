/** Written by `make webapp` from beat_the_ai.validation.page: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  Context: Context;
  Item: Item;
  Task: Task;
  Hit: Hit;
}
/**
 * The subject of works, without its private parts.
 */
export interface Context {
  id: string;
  title: string;
  text: string;
}
/**
 * A work to check; `work` is the part of it that the kind shows.
 */
export interface Item {
  id: string;
  context_id: string;
  work: {
    [k: string]: unknown;
  };
}
/**
 * The page's initial data, which does not change while the HIT lasts.
 */
export interface Task {
  hit: string;
  contexts: Context[];
  items: Item[];
}
/**
 * The validator's progress.
 *
 * `votes` holds the last answer to each work that has one. `revealed` holds the steps shown so far, of works that are
 * shown step by step.
 */
export interface Hit {
  revealed: {
    [k: string]: unknown;
  };
  votes: {
    [k: string]: unknown;
  };
  complete: boolean;
  seconds_left: number;
}
