/** What either side answered, and the rule that decided. */

import { percent } from "../../work/money";
import type { QuestionAttempt } from "./terms";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import "./evidence.css";

export function Evidence({ attempt, threshold }: { attempt: QuestionAttempt; threshold: number }) {
  const { prediction, work, scores } = attempt;
  return (
    <>
      <dl className="answers">
        <div className="answers-model">
          <dt>{say("reading.evidence.model")}</dt>
          <dd>
            {prediction.text === "" ? say("reading.evidence.nothing") : <q {...ofData()}>{prediction.text}</q>}
            {prediction.start < 0 && prediction.text !== "" && <span className="confidence">{say("reading.evidence.elsewhere")}</span>}
            {prediction.score !== null && <span className="confidence">{say("reading.evidence.sure", { share: percent(prediction.score) })}</span>}
          </dd>
        </div>
        <div className="answers-writer">
          <dt>{say("reading.evidence.writer")}</dt>
          <dd>
            <q {...ofData()}>{work.answer.text}</q>
          </dd>
        </div>
      </dl>
      <Overlap share={scores.f1} threshold={threshold} />
    </>
  );
}

export function comesNext(fooled: boolean, isChecked: boolean): string {
  if (!fooled) {
    return say("reading.next.loss");
  }
  return say(isChecked ? "reading.next.checked" : "reading.next.counts");
}

/** The word overlap as a bar with the limit on it (Bartolo et al. 2020, §3.1: above 40% the model wins). */
function Overlap({ share, threshold }: { share: number; threshold: number }) {
  return (
    <div className="overlap">
      <svg className="along-text" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="overlap-track" width="100" height="8" rx="1" />
        <rect className="overlap-share" width={Math.max(share * 100, 0.75)} height="8" rx="1" />
        <rect className="overlap-limit" x={threshold * 100 - 0.25} width="0.6" height="8" />
      </svg>
      <p>
        <Say of="reading.evidence.overlap" args={{ share: percent(share), limit: percent(threshold) }} />
      </p>
    </div>
  );
}
