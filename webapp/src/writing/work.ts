/**
 * A writer's work on one HIT, as a reducer: what is in the editor, what is being checked, which verdict is shown.
 *
 * An attempt key belongs to one content of the editor. Submitting the same again, after an error, a slow answer or a
 * reload, uses the same key, and the server answers what it answered before: no try is used twice.
 */

import { DOUBTFUL, type Problem } from "../crowd/packets";
import type { Attempt, Explanation, Hit } from "./hit";
import type { Standing } from "./records";

/** Why what is doubted should count all the same; `sent` along with the entry. */
export interface Appeal {
  text: string;
  sent: boolean;
}

/** The field that the server names where something is wrong with an appeal. */
export const APPEAL = "appeal";

export interface Draft<Entry> {
  entry: Entry;
  feedback: string;
  attemptKey: string | null;
  /** The attempt was sent, and its verdict has not been seen yet. */
  sent: boolean;
  /** What is said of a win and not saved yet. */
  explanation: { attempt: string; said: Explanation } | null;
  appeal: Appeal | null;
}

export interface Work<Entry, Made extends Attempt> extends Draft<Entry> {
  hit: Hit<Made>;
  /** The attempt whose verdict is on show, and its key: while that is the draft's, nothing was changed since. */
  shown: string | null;
  judgedKey: string | null;
  problem: Problem | null;
}

interface Judged<Made> {
  type: "judged";
  attemptKey: string;
  attempt: Made;
  standing: Standing;
}

export type Action<Entry, Made extends Attempt> =
  | { type: "edited"; change: Partial<Entry> }
  | { type: "sent"; attemptKey: string; appealing: boolean }
  | { type: "appealing"; text: string }
  | Judged<Made>
  | { type: "failed"; attemptKey: string; problem: Problem }
  | { type: "complained"; problem: Problem }
  | { type: "updated"; hit: Hit<Made> }
  | { type: "explaining"; attempt: string; said: Explanation }
  | { type: "explained"; hit: Hit<Made> }
  | { type: "commented"; feedback: string }
  | { type: "began anew"; entry: Entry };

export function emptyDraft<Entry>(entry: Entry): Draft<Entry> {
  return { entry, feedback: "", attemptKey: null, sent: false, explanation: null, appeal: null };
}

/** Back at a win that is still to be explained, if there is one. */
export function restored<Entry, Made extends Attempt>(
  hit: Hit<Made>,
  draft: Draft<Entry> | null,
  empty: Entry,
): Work<Entry, Made> {
  const shown = hit.explanations_missing > 0 ? hit.attempts.find(isUnexplained) : undefined;
  return { ...(draft ?? emptyDraft(empty)), hit, shown: shown?.attempt_id ?? null, judgedKey: null, problem: null };
}

export function isUnexplained({ fooled, retracted, explanation }: Attempt): boolean {
  return fooled === true && !retracted && explanation === null;
}

export function shownAttempt<Made extends Attempt>(work: Work<unknown, Made>): Made | null {
  return work.hit.attempts.find((attempt) => attempt.attempt_id === work.shown) ?? null;
}

/** While an attempt is being checked, and after a win or without a verdict, its text stays as it is. */
export function isFrozen<Made extends Attempt>(work: Work<unknown, Made>): boolean {
  return work.sent || hasWon(work);
}

/** What was sent is doubted, or something is wrong with the appeal. */
export function isDoubted({ problem }: Work<unknown, Attempt>): boolean {
  return problem?.code === DOUBTFUL || problem?.field === APPEAL;
}

export function hasWon<Made extends Attempt>(work: Work<unknown, Made>): boolean {
  const shown = shownAttempt(work);
  return shown !== null && shown.fooled !== false;
}

/** What a reload puts back. What has its verdict is in the list of attempts, and no draft any more. */
export function draftOf<Entry, Made extends Attempt>(work: Work<Entry, Made>, empty: Entry): Draft<Entry> {
  const { entry, feedback, attemptKey, sent, explanation, appeal } = work;
  const judged = attemptKey !== null && attemptKey === work.judgedKey;
  return judged
    ? { ...emptyDraft(empty), feedback, explanation }
    : { entry, feedback, attemptKey, sent, explanation, appeal };
}

export function reduce<Entry, Made extends Attempt>(
  work: Work<Entry, Made>,
  action: Action<Entry, Made>,
): Work<Entry, Made> {
  switch (action.type) {
    case "edited":
      return isFrozen(work)
        ? work
        : { ...work, entry: { ...work.entry, ...action.change }, attemptKey: null, problem: null };
    case "sent":
      return {
        ...work,
        attemptKey: action.attemptKey,
        sent: true,
        problem: null,
        appeal: work.appeal && { ...work.appeal, sent: action.appealing },
      };
    case "appealing":
      return { ...work, appeal: { text: action.text, sent: false } };
    case "judged":
      return judged(work, action);
    case "failed":
      return action.attemptKey === work.attemptKey && work.sent
        ? { ...work, sent: false, problem: action.problem }
        : work;
    case "complained":
      return { ...work, problem: action.problem };
    case "updated":
      return { ...work, hit: action.hit };
    case "explaining":
      return { ...work, explanation: { attempt: action.attempt, said: action.said } };
    case "explained":
      return { ...work, hit: action.hit, explanation: null };
    case "commented":
      return { ...work, feedback: action.feedback };
    case "began anew":
      return {
        ...work,
        ...emptyDraft(action.entry),
        feedback: work.feedback,
        shown: null,
        judgedKey: null,
        problem: null,
      };
  }
}

/** A verdict that comes a second time (after "try again") changes nothing but the state of the HIT. */
function judged<Entry, Made extends Attempt>(
  work: Work<Entry, Made>,
  { attemptKey, attempt, standing }: Judged<Made>,
): Work<Entry, Made> {
  const others = work.hit.attempts.filter((known) => known.attempt_id !== attempt.attempt_id);
  const hit = { ...standing, attempts: [...others, attempt] };
  if (attemptKey !== work.attemptKey || !work.sent) {
    return { ...work, hit };
  }
  return { ...work, hit, sent: false, shown: attempt.attempt_id, judgedKey: attemptKey, problem: null, appeal: null };
}
