import { say } from "../../words/say";
import { rightWords } from "./guesses";
import { type QuestionAttempt, pageTitle } from "./terms";

/** A verdict in a sentence: what decided, and what to do now. */
export function comesNext({ work, prediction, scores, fooled }: QuestionAttempt): string {
  const answer = pageTitle(work.answer);
  const best = prediction.guesses[0];
  if (!fooled) {
    return say("quizbowl.next.loss", { right: rightWords(scores) });
  }
  if (scores.right_from !== null) {
    return say("quizbowl.next.late", { answer, right: rightWords(scores) });
  }
  return best ? say("quizbowl.next.wrong", { guess: pageTitle(best.page), answer }) : say("quizbowl.next.nothing");
}
