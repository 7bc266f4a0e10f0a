/** The answer that is marked in the passage, or how to mark one. */

import { useFault } from "../../faults/useFault";
import type { Span } from "../../passage/tokens";
import "../../work/fields/fields.css";

interface Props {
  answer: Span | null;
  frozen: boolean;
  onClear: () => void;
}

export function MarkedAnswer({ answer, frozen, onClear }: Props) {
  useFault(() => frozen || onClear()); // perhaps another one was being marked or typed
  return (
    <div className="field">
      <p className="field-name">Your answer</p>
      {answer === null ? (
        <p className="no-answer">
          <span className="with-mouse">Drag across the words in the passage.</span>
          <span className="with-touch">Tap the first and the last word in the passage.</span>
        </p>
      ) : (
        <div className="answer">
          <q dir="auto" data-testid="answer">
            {answer.text}
          </q>
          {!frozen && (
            <button type="button" className="quiet" onClick={onClear}>
              Clear<span className="visually-hidden"> the answer</span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}
