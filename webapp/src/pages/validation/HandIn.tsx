/** The end of the HIT: a word of feedback, and the button that hands everything in. */

import { useState } from "react";

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
  const [insisted, setInsisted] = useState(false);
  const clicked = () => {
    if (!ready) {
      setInsisted(true);
    } else if (!busy) {
      onFinish();
    }
  };
  return (
    <section className="finish card" aria-labelledby="finish-title">
      <h2 id="finish-title">Hand in</h2>
      <p id="finish-standing">{timeIsOver && answeredCount(work) === 0 ? WAITS_FOR_A_PERSON : standing(work)}</p>
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
        {/* Also when it does nothing yet it can be reached by keyboard, and says why. */}
        <button
          type="button"
          className={ready ? "primary" : ""}
          disabled={disabled}
          aria-disabled={busy || !ready}
          aria-describedby="finish-standing"
          onClick={clicked}
        >
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy ? "Submitting …" : "Submit HIT"}
        </button>
      </div>
      <p role="status" className="finish-state">
        {insisted && !ready && `Not yet. ${standing(work)}`}
        {finishing.state === "waiting" &&
          "The service is away for a moment. Your work is saved, and we keep trying; please leave this page open."}
        {finishing.state === "failed" &&
          `This did not work: ${finishing.message} Your work is saved; please try again.`}
      </p>
    </section>
  );
}

const WAITS_FOR_A_PERSON =
  "You have answered nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

function standing(work: Work): string {
  const left = work.task.items.length - answeredCount(work);
  if (left === 0) {
    return "All questions have an answer. You can still go back and change one, or submit the HIT.";
  }
  return `${left === 1 ? "One question is" : `${left} questions are`} left. Every answer is kept as soon as you save it.`;
}
