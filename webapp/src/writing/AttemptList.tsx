/** Everything that was submitted in this HIT, the latest first, with ways to take back and to report. */

import { Icon, type IconName } from "../icons/Icon";
import type { Attempt, FlagReason } from "./hit";
import "./attempts.css";

interface Props {
  attempts: readonly Attempt[];
  /** Other people will answer the questions, too. */
  isChecked: boolean;
  disabled: boolean;
  onRetract: (attempt: Attempt) => void;
  onFlag: (attempt: Attempt) => void;
}

export function AttemptList({ attempts, isChecked, disabled, onRetract, onFlag }: Props) {
  if (attempts.length === 0) {
    return null;
  }
  return (
    <section className="attempts" aria-labelledby="attempts-title">
      <h2 id="attempts-title">Submitted so far</h2>
      <ol reversed>
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.attempt_id} className="attempt card" data-outcome={outcome(attempt, isChecked).name}>
            <Entry attempt={attempt} isChecked={isChecked} />
            <div className="attempt-actions">
              {!attempt.retracted && (
                <button
                  type="button"
                  className="quiet"
                  aria-describedby={`question-${attempt.attempt_id}`}
                  disabled={disabled}
                  onClick={() => onRetract(attempt)}
                >
                  <Icon name="back" />
                  Take back
                </button>
              )}
              {attempt.flag === null && (
                <button
                  type="button"
                  className="quiet"
                  aria-describedby={`question-${attempt.attempt_id}`}
                  disabled={disabled}
                  onClick={() => onFlag(attempt)}
                >
                  <Icon name="flag" />
                  Report a problem
                </button>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entry({ attempt, isChecked }: { attempt: Attempt; isChecked: boolean }) {
  const { icon, word } = outcome(attempt, isChecked);
  return (
    <>
      <p className="attempt-outcome">
        <Icon name={icon} />
        {word}
      </p>
      <p id={`question-${attempt.attempt_id}`} className="attempt-question" dir="auto">
        {attempt.work.question}
      </p>
      <p className="attempt-answers">
        You: <q dir="auto">{attempt.work.answer.text}</q> · AI: <q dir="auto">{attempt.prediction.text}</q>
      </p>
      {attempt.flag && (
        <p className="attempt-flag">
          <Icon name="flag" />
          Reported: {FLAG_WORDS[attempt.flag.reason]}
          {attempt.flag.note && ` — ${attempt.flag.note}`}
        </p>
      )}
    </>
  );
}

export const FLAG_WORDS: Readonly<Record<FlagReason, string>> = {
  ai_was_right: "The AI was right after all",
  context_problem: "Something is wrong with the passage",
  other: "Something else",
};

function outcome(attempt: Attempt, isChecked: boolean): { name: string; icon: IconName; word: string } {
  if (attempt.retracted) {
    return { name: "retracted", icon: "back", word: "Taken back" };
  }
  return attempt.fooled
    ? { name: "fooled", icon: "win", word: isChecked ? "Win, to be checked" : "Win" }
    : { name: "not-fooled", icon: "loss", word: "The AI got it right" };
}
