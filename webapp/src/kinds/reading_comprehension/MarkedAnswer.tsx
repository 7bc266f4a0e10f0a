/** The answer that is marked in the passage, or how to mark one. */

import type { ReactNode } from "react";

import { useFault } from "../../faults/useFault";
import type { Span } from "../../passage/tokens";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
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
      <p className="field-name">{say("reading.your_answer")}</p>
      {answer === null ? (
        <p className="no-answer">
          <span className="with-mouse">{say("reading.your_answer.drag")}</span>
          <span className="with-touch">{say("reading.your_answer.tap")}</span>
        </p>
      ) : (
        <div className="answer">
          <q {...ofData()} data-testid="answer">
            {answer.text}
          </q>
          {!frozen && (
            <button type="button" className="quiet" onClick={onClear}>
              <Say of="reading.your_answer.clear" tags={{ hidden }} />
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function hidden(text: ReactNode[]): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}
