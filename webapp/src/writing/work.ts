/**
 * A writer's work on one HIT, as a reducer: what is in the editor, what is being checked, which verdict is shown.
 *
 * An attempt key belongs to one wording of question and answer. Submitting the same wording again, after an error, a slow
 * answer or a reload, uses the same key, and the server answers what it answered before: no try is used twice.
 */

import type { Problem } from "../crowd/packets";
import type { Span } from "../passage/tokens";
import type { Attempt, Hit, Standing } from "./hit";

export interface Draft {
  question: string;
  answer: Span | null;
  typed: string;
  feedback: string;
  attemptKey: string | null;
  /** The attempt was sent, and its verdict has not been seen yet. */
  sent: boolean;
}

export interface Work extends Draft {
  hit: Hit;
  /** The attempt whose verdict is on show, and its key: while that is the draft's, nothing was changed since. */
  shown: string | null;
  judgedKey: string | null;
  problem: Problem | null;
}

type Saved = Draft & Pick<Work, "judgedKey">;

interface Judged {
  type: "judged";
  attemptKey: string;
  attempt: Attempt;
  standing: Standing;
}

export type Action =
  | { type: "wrote"; question: string }
  | { type: "typed"; typed: string; answer: Span | null }
  | { type: "marked"; answer: Span | null }
  | { type: "sent"; attemptKey: string }
  | Judged
  | { type: "failed"; attemptKey: string; problem: Problem }
  | { type: "complained"; problem: Problem }
  | { type: "updated"; hit: Hit }
  | { type: "commented"; feedback: string }
  | { type: "began anew" };

export const EMPTY_DRAFT: Draft = {
  question: "",
  answer: null,
  typed: "",
  feedback: "",
  attemptKey: null,
  sent: false,
};

export function restored(hit: Hit, draft: Draft | null): Work {
  return { ...EMPTY_DRAFT, ...draft, hit, shown: null, judgedKey: null, problem: null };
}

export function shownAttempt(work: Work): Attempt | null {
  return work.hit.attempts.find((attempt) => attempt.attempt_id === work.shown) ?? null;
}

/** While an attempt is being checked, and after a win, its text stays as it is. */
export function isFrozen(work: Work): boolean {
  return work.sent || hasWon(work);
}

export function hasWon(work: Work): boolean {
  return shownAttempt(work)?.fooled ?? false;
}

/** Whether something stands in the editor that was never judged. */
export function hasUnsentText(work: Work): boolean {
  const shown = shownAttempt(work);
  return work.question.trim() !== "" && shown?.work.question !== work.question.trim();
}

/** What a reload puts back. A question that has its verdict is in the list of attempts, and no draft any more. */
export function draftOf({ question, answer, typed, feedback, attemptKey, sent, judgedKey }: Saved): Draft {
  const judged = attemptKey !== null && attemptKey === judgedKey;
  return judged ? { ...EMPTY_DRAFT, feedback } : { question, answer, typed, feedback, attemptKey, sent };
}

export function reduce(work: Work, action: Action): Work {
  switch (action.type) {
    case "wrote":
      return edit(work, { question: action.question });
    case "typed":
      return edit(work, { typed: action.typed, answer: action.answer });
    case "marked":
      return edit(work, { answer: action.answer, typed: "" });
    case "sent":
      return { ...work, attemptKey: action.attemptKey, sent: true, problem: null };
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
    case "commented":
      return { ...work, feedback: action.feedback };
    case "began anew":
      return { ...work, ...EMPTY_DRAFT, feedback: work.feedback, shown: null, judgedKey: null, problem: null };
  }
}

function edit(work: Work, change: Partial<Draft>): Work {
  return isFrozen(work) ? work : { ...work, ...change, attemptKey: null, problem: null };
}

/** A verdict that comes a second time (after "try again") changes nothing but the state of the HIT. */
function judged(work: Work, { attemptKey, attempt, standing }: Judged): Work {
  const others = work.hit.attempts.filter((known) => known.attempt_id !== attempt.attempt_id);
  const hit = { ...standing, attempts: [...others, attempt] };
  if (attemptKey !== work.attemptKey || !work.sent) {
    return { ...work, hit };
  }
  return { ...work, hit, sent: false, shown: attempt.attempt_id, judgedKey: attemptKey, problem: null };
}
