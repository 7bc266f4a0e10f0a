/** The end of the HIT: a word of feedback, and the button that hands everything in. */

import { useState } from "react";

import { useSecondsLeft } from "../../header/useSecondsLeft";
import type { Hit, Terms } from "./hit";

export type Finishing =
  { state: "no" } | { state: "submitting" } | { state: "waiting" } | { state: "failed"; message: string };

interface Props {
  hit: Hit;
  terms: Terms;
  endsAt: number | null;
  /** Nothing was tried at all, so that a person looks at the HIT before it is paid. */
  empty: boolean;
  feedback: string;
  finishing: Finishing;
  disabled: boolean;
  onFeedback: (feedback: string) => void;
  onFinish: () => void;
}

export function FinishPanel({ hit, terms, endsAt, empty, feedback, finishing, disabled, onFeedback, onFinish }: Props) {
  const timeIsOver = useSecondsLeft(endsAt) === 0;
  const lacking = hit.complete || timeIsOver ? null : whatIsLacking(hit, terms);
  const [insisted, setInsisted] = useState(false);
  const busy = finishing.state === "submitting" || finishing.state === "waiting";
  const clicked = () => {
    if (lacking !== null) {
      setInsisted(true);
    } else if (!busy) {
      onFinish();
    }
  };
  return (
    <section className="finish card" aria-labelledby="finish-title">
      <h2 id="finish-title">Hand in</h2>
      <p id="finish-standing">{lacking ?? (empty ? WAITS_FOR_A_PERSON : standing(hit, terms))}</p>
      {lacking === null && (
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
        {/* Also when it does nothing yet it can be reached by keyboard, and says why. */}
        <button
          type="button"
          className={hit.wins >= terms.wins_wanted || hit.complete ? "primary" : ""}
          disabled={disabled}
          aria-disabled={busy || lacking !== null}
          aria-describedby="finish-standing"
          onClick={clicked}
        >
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy ? "Submitting …" : "Submit HIT"}
        </button>
      </div>
      <p role="status" className="finish-state">
        {insisted && lacking !== null && `Not yet. ${lacking}`}
        {finishing.state === "waiting" &&
          "The service is away for a moment. Your work is saved, and we keep trying; please leave this page open."}
        {finishing.state === "failed" &&
          `This did not work: ${finishing.message} Your work is saved; please try again.`}
      </p>
    </section>
  );
}

export const WAITS_FOR_A_PERSON =
  "You have asked nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

/** Why the HIT cannot be handed in yet, and what to do; null when it can be. */
function whatIsLacking(hit: Hit, { min_attempts }: Terms): string | null {
  const kept = hit.attempts.filter((attempt) => !attempt.retracted).length;
  if (hit.tries_missing > 0) {
    const more = hit.attempts.length > 0 ? " more" : "";
    const questions = hit.tries_missing === 1 ? `one${more} question` : `${hit.tries_missing}${more} questions`;
    return `Ask the AI ${questions}, and you can submit the HIT. It need not beat the AI: whoever has tried is paid.`;
  }
  return kept < min_attempts
    ? `You have asked ${kept} of at least ${min_attempts} questions. After that you can submit at any time.`
    : null;
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
