/** Revoking and reinstating a worker, and how the worker came to stand so. */

import { useState } from "react";

import type { Change, Consequences, StandingEvent, Worker, WorkerDetail } from "./api";
import { DecisionDialog } from "./DecisionDialog";
import { mayWork } from "./Workers";
import { count, dollars, moment, STANDING_WORDS } from "./words";

interface Props {
  worker: Worker;
  detail: WorkerDetail;
  onChange: (change: Change, reason: string, confirmation: string) => Promise<void>;
}

export function StandingPanel({ worker, detail, onChange }: Props) {
  const [asked, setAsked] = useState<Change | null>(null);
  return (
    <div className="standing-panel">
      <div className="actions">
        {!mayWork(worker) ? (
          <button type="button" onClick={() => setAsked("reinstate")}>
            Reinstate …
          </button>
        ) : (
          <button type="button" className={worker.recommended ? "danger" : ""} onClick={() => setAsked("revoke")}>
            Revoke …
          </button>
        )}
      </div>
      {detail.history.length > 0 && (
        <details>
          <summary>History of the standing</summary>
          <ol className="history">
            {detail.history.map((event) => (
              <Event key={event.at + event.standing} event={event} />
            ))}
          </ol>
        </details>
      )}
      {asked === "revoke" && (
        <DecisionDialog
          title={`Revoke ${worker.worker}?`}
          action="Revoke and discard"
          confirmation={worker.worker}
          onDecide={(reason, typed) => onChange("revoke", reason, typed)}
          onClose={() => setAsked(null)}
        >
          <Effect of={detail.consequences} />
        </DecisionDialog>
      )}
      {asked === "reinstate" && (
        <DecisionDialog
          title={`Reinstate ${worker.worker}?`}
          action="Reinstate"
          onDecide={(reason) => onChange("reinstate", reason, "")}
          onClose={() => setAsked(null)}
        >
          <p>The worker may work again, and all of the work counts again, at once.</p>
        </DecisionDialog>
      )}
    </div>
  );
}

function Effect({ of: { hits, attempts, wins, paid_cents, owed_cents } }: { of: Consequences }) {
  return (
    <ul className="effect">
      <li>
        <strong>{count(hits, "HIT")}</strong> with {count(attempts, "attempt")} are discarded.
      </li>
      <li>
        <strong>{count(wins, "question")}</strong> that beat the AI leave the dataset and every statistic.
      </li>
      <li>
        <strong>{dollars(paid_cents)}</strong> was paid and stays paid; {dollars(owed_cents)} is still owed and will be
        paid.
      </li>
      <li>The worker gets no more HITs. Reinstating brings all of it back.</li>
    </ul>
  );
}

function Event({ event }: { event: StandingEvent }) {
  return (
    <li>
      {STANDING_WORDS[event.standing]} by {event.by}, {moment(event.at)}
      {event.reason && <span dir="auto">: {event.reason}</span>}
      {event.answer !== null && <span className="muted"> (marketplace: {event.answer})</span>}
    </li>
  );
}
