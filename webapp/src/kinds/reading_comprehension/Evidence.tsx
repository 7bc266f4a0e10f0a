/** What either side answered, and the rule that decided. */

import { percent } from "../../work/money";
import type { QuestionAttempt } from "./terms";
import "./evidence.css";

export function Evidence({ attempt, threshold }: { attempt: QuestionAttempt; threshold: number }) {
  const { prediction, work, scores } = attempt;
  return (
    <>
      <dl className="answers">
        <div className="answers-model">
          <dt>The AI answered</dt>
          <dd>
            {prediction.text === "" ? "nothing" : <q dir="auto">{prediction.text}</q>}
            {prediction.start < 0 && prediction.text !== "" && <span className="confidence">not in the passage</span>}
            {prediction.score !== null && <span className="confidence">{percent(prediction.score)} sure</span>}
          </dd>
        </div>
        <div className="answers-writer">
          <dt>You say</dt>
          <dd>
            <q dir="auto">{work.answer.text}</q>
          </dd>
        </div>
      </dl>
      <Overlap share={scores.f1} threshold={threshold} />
    </>
  );
}

export function comesNext(fooled: boolean, isChecked: boolean): string {
  if (!fooled) {
    return "Change your question, or try another.";
  }
  return isChecked
    ? "Other people will check your question when you have handed the HIT in."
    : "It counts when you have handed the HIT in.";
}

/** The word overlap as a bar with the limit on it (Bartolo et al. 2020, §3.1: above 40% the model wins). */
function Overlap({ share, threshold }: { share: number; threshold: number }) {
  const limit = percent(threshold);
  return (
    <div className="overlap">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="overlap-track" width="100" height="8" rx="1" />
        <rect className="overlap-share" width={Math.max(share * 100, 0.75)} height="8" rx="1" />
        <rect className="overlap-limit" x={threshold * 100 - 0.25} width="0.6" height="8" />
      </svg>
      <p>
        Word overlap (F1) of the two answers: <strong>{percent(share)}</strong>. Above {limit}, the AI’s answer counts
        as right.
      </p>
    </div>
  );
}
