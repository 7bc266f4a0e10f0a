/** Workers who ask for the qualification on the marketplace: answered here, and told there. */

import { useState } from "react";

import type { Change } from "./api";
import type { QualificationRequest } from "./records";
import { DecisionDialog } from "./DecisionDialog";
import type { Requested } from "./desk";
import { StandingBadge } from "./StandingBadge";
import { moment } from "./words";
import "./requests.css";

interface Props {
  requested: Requested;
  lead: boolean;
  onDecide: (worker: string, change: Change, reason: string) => Promise<void>;
}

export function Requests({ requested: { list, problem }, lead, onDecide }: Props) {
  const [question, ask] = useState<{ request: QualificationRequest; change: "grant" | "refuse" } | null>(null);
  if (problem === "" && list.length === 0) {
    return null;
  }
  return (
    <section className="card requests" aria-label="Requests">
      <h3>Requests for the qualification</h3>
      {problem !== "" && <p role="status">The marketplace does not tell them now: {problem}</p>}
      <ul>
        {list.map((request) => (
          <li key={request.worker}>
            <div>
              <h4 dir="auto">{request.worker}</h4>
              <StandingBadge standing={request.standing} recommended={false} />
              <p className="muted small">
                Asked {moment(request.at)}. {request.screened ? "The screening stands below." : "No screening."}
              </p>
            </div>
            {lead && (
              <div className="actions">
                <button type="button" className="primary" onClick={() => ask({ request, change: "grant" })}>
                  Accept …<span className="visually-hidden"> {request.worker}</span>
                </button>
                <button type="button" onClick={() => ask({ request, change: "refuse" })}>
                  Turn down …<span className="visually-hidden"> {request.worker}</span>
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {question !== null && (
        <RequestDialog
          request={question.request}
          change={question.change}
          onDecide={(reason) => onDecide(question.request.worker, question.change, reason)}
          onClose={() => ask(null)}
        />
      )}
    </section>
  );
}

interface DialogProps {
  request: QualificationRequest;
  change: "grant" | "refuse";
  onDecide: (reason: string) => Promise<void>;
  onClose: () => void;
}

function RequestDialog({ request: { worker, standing, screened }, change, onDecide, onClose }: DialogProps) {
  const isKnown = screened || standing !== null;
  const effect =
    change === "grant"
      ? isKnown
        ? "The worker may then take every HIT of the campaign."
        : "Nobody has seen work of theirs. The worker may then take every HIT of the campaign, without a screening."
      : screened && (standing === null || standing === "candidate")
        ? "The worker is kept out as well, and cannot enter again by another screening. What was earned is paid."
        : "The standing does not change. The worker is told, without the reason.";
  return (
    <DecisionDialog
      title={change === "grant" ? `Accept the request of ${worker}?` : `Turn down the request of ${worker}?`}
      action={change === "grant" ? "Accept" : "Turn down"}
      reasonIsOptional={change === "grant" && isKnown}
      onDecide={onDecide}
      onClose={onClose}
    >
      <p className="small">{effect}</p>
    </DecisionDialog>
  );
}
