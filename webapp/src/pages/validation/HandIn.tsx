/** The end of the HIT: a word of feedback, and the button that hands everything in. */

import { type Work, answeredCount, unsavedPlaces } from "./work";

export type Finishing =
  { state: "no" } | { state: "submitting" } | { state: "waiting" } | { state: "failed"; message: string };

interface Props {
  work: Work;
  finishing: Finishing;
  timeIsOver: boolean;
  disabled: boolean;
  onFeedback: (feedback: string) => void;
  onFinish: () => void;
}

export function HandIn({ work, finishing, timeIsOver, disabled, onFeedback, onFinish }: Props) {
  const busy = finishing.state === "submitting" || finishing.state === "waiting";
  const ready = work.hit.complete || timeIsOver;
  const unsaved = unsavedPlaces(work);
  return (
    <section className="finish card" aria-labelledby="finish-title">
      <h2 id="finish-title">Hand in</h2>
      <p>{standing(work)}</p>
      {work.hit.complete && unsaved.length > 0 && (
        <p>What you changed in question {unsaved.join(", ")} is not saved, and the earlier answer will count.</p>
      )}
      {ready && (
        <div className="field">
          <label htmlFor="feedback">Anything to tell us? (optional)</label>
          <textarea
            id="feedback"
            rows={2}
            maxLength={1000}
            value={work.feedback}
            disabled={disabled}
            onChange={(event) => onFeedback(event.target.value)}
          />
        </div>
      )}
      <div className="actions">
        <button
          type="button"
          className={ready ? "primary" : ""}
          disabled={!ready || disabled}
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

function standing(work: Work): string {
  const left = work.task.items.length - answeredCount(work);
  if (left === 0) {
    return "All questions have an answer. You can still go back and change one, or submit the HIT.";
  }
  return `${left === 1 ? "One question is" : `${left} questions are`} left. Every answer is kept as soon as you save it.`;
}
