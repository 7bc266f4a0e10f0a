import { rightWords } from "./guesses";
import { type QuestionAttempt, pageTitle } from "./terms";

/** A verdict in a sentence: what decided, and what to do now. */
export function comesNext({ work, prediction, scores, fooled }: QuestionAttempt): string {
  const answer = pageTitle(work.answer);
  const best = prediction.guesses[0];
  if (fooled) {
    const why =
      scores.right_from !== null
        ? `It gets to ${answer}, but only late: it is ${rightWords(scores)}.`
        : best
          ? `At the end of your question it says ${pageTitle(best.page)}, not ${answer}.`
          : "It has no guess at all.";
    return `${why} Please hand the question in.`;
  }
  return `It is ${rightWords(scores)}. Change what it goes by, and try again, or give up: you may hand in all the same.`;
}
