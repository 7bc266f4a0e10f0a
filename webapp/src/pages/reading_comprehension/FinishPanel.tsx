/** The end of the HIT: a word of feedback, and the button that hands everything in. */

import type { Hit, Terms } from "./hit";

export type Finishing =
  { state: "no" } | { state: "submitting" } | { state: "waiting" } | { state: "failed"; message: string };

interface Props {
  hit: Hit;
  terms: Terms;
  feedback: string;
  finishing: Finishing;
  disabled: boolean;
  onFeedback: (feedback: string) => void;
  onFinish: () => void;
}

export function FinishPanel({ hit, terms, feedback, finishing, disabled, onFeedback, onFinish }: Props) {
  const kept = hit.attempts.filter((attempt) => !attempt.retracted).length;
  const started = hit.attempts.length > 0;
  const enough = hit.complete || (started && kept >= terms.min_attempts);
  const busy = finishing.state === "submitting" || finishing.state === "waiting";
  return (
    <section className="finish card" aria-labelledby="finish-title">
      <h2 id="finish-title">Hand in</h2>
      <p>{enough ? standing(hit, terms) : lacking(kept, terms)}</p>
      {started && (
        <div className="field">
          <label htmlFor="feedback">Anything to tell us? (optional)</label>
          <textarea
            id="feedback"
            rows={2}
            maxLength={1000}
            value={feedback}
            disabled={disabled}
            onChange={(event) => onFeedback(event.target.value)}
          />
        </div>
      )}
      <div className="actions">
        <button
          type="button"
          className={hit.wins >= terms.wins_wanted || hit.complete ? "primary" : ""}
          disabled={!enough || disabled}
          aria-disabled={busy}
          onClick={() => busy || onFinish()}
        >
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy ? "Submitting …" : "Submit HIT"}
        </button>
      </div>
      <p role="status" className="finish-state">
        {finishing.state === "waiting" &&
          "The service is away for a moment. Your work is saved, and we keep trying; please leave this page open."}
        {finishing.state === "failed" &&
          `This did not work: ${finishing.message} Your work is saved; please try again.`}
      </p>
    </section>
  );
}

function lacking(kept: number, { min_attempts }: Terms): string {
  return min_attempts === 0
    ? "After your first question you can submit the HIT at any time."
    : `You have asked ${kept} of at least ${min_attempts} questions. After that you can submit at any time.`;
}

function standing(hit: Hit, terms: Terms): string {
  const wins = hit.wins === 1 ? "1 win" : `${hit.wins} wins`;
  if (hit.wins >= terms.max_wins) {
    return `You have all ${terms.max_wins} wins of this HIT. Well done! Please submit it.`;
  }
  if (hit.tries_left === 0) {
    return `You have used all your tries, with ${wins}. Please submit the HIT; the base pay is yours.`;
  }
  if (hit.wins >= terms.wins_wanted) {
    return `You have ${wins}: enough to submit, or go on to ${terms.max_wins}.`;
  }
  return `You have ${wins} of the ${terms.wins_wanted} wanted. You can submit at any time; fewer are accepted for short passages.`;
}
