/** Where a validator stands with a HIT, in words. */

import { type Work, answeredCount } from "./work";

export const WAITS_FOR_A_PERSON =
  "You have answered nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

export function standingOf(work: Work): string {
  const left = work.task.items.length - answeredCount(work);
  if (left === 0) {
    return "All questions have an answer. You can still go back and change one, or submit the HIT.";
  }
  return `${left === 1 ? "One question is" : `${left} questions are`} left. Every answer is kept as soon as you save it.`;
}
