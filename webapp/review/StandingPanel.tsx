/** Revoking and reinstating a worker, alone or by two, and how the worker came to stand so. */

import { useState } from "react";

import { Icon } from "../src/design/icons/Icon";
import type { Change } from "./api";
import type { Consequences, Proposal, StandingEvent, Worker, WorkerDetail } from "./records";
import { DecisionDialog } from "./DecisionDialog";
import { count, amount, moment, STANDING_WORDS } from "./words";
import "./standingPanel.css";

type StandingChange = Exclude<Change, "grant" | "refuse">;

const CHANGE_WORDS: Readonly<Record<StandingChange, string>> = {
  propose: "Revoke",
  revoke: "Revoke",
  confirm: "Confirm",
  withdraw: "Withdraw",
  reinstate: "Reinstate",
};

interface Props {
  worker: Worker;
  detail: WorkerDetail;
  lead: boolean;
  reviewer: string;
  secondPerson: boolean;
  onChange: (change: Change, reason: string, confirmation: string) => Promise<void>;
}

export function StandingPanel({ worker, detail, lead, reviewer, secondPerson, onChange }: Props) {
  const [asked, setAsked] = useState<StandingChange | null>(null);
  const { proposal } = worker;
  return (
    <div className="standing-panel">
      {proposal !== null && (
        <p className="note">
          <Icon name="clock" />
          <span>
            {proposal.by} has proposed to revoke, {moment(proposal.at)}: <q dir="auto">{proposal.reason}</q>. It has no
            effect until a second lead confirms it.
          </span>
        </p>
      )}
      {lead ? (
        <div className="actions">
          {changesOf(worker, reviewer, secondPerson).map((change) => (
            <button
              key={change}
              type="button"
              className={(change === "revoke" && worker.recommended) || change === "confirm" ? "danger" : ""}
              onClick={() => setAsked(change)}
            >
              {CHANGE_WORDS[change]} …
            </button>
          ))}
        </div>
      ) : (
        <p className="muted small">A lead revokes and reinstates.</p>
      )}
      {detail.history.length + detail.proposals.length > 0 && (
        <details>
          <summary>History of the standing</summary>
          <ol className="history">
            {detail.history.map((event) => (
              <Event key={event.at + event.standing} event={event} />
            ))}
          </ol>
          {detail.proposals.length > 0 && <Proposals proposals={detail.proposals} />}
        </details>
      )}
      {asked !== null && (
        <ChangeDialog
          change={asked}
          secondPerson={secondPerson}
          worker={worker}
          detail={detail}
          onChange={onChange}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

/**
 * What a lead may do about the worker now. One whose own view does not recommend to revoke proposes it, so that nobody
 * learns from a button what the others found.
 */
function changesOf(worker: Worker, reviewer: string, secondPerson: boolean): readonly StandingChange[] {
  const { proposal, recommended } = worker;
  if (!mayWork(worker)) {
    return ["reinstate"];
  }
  if (proposal === null) {
    return [recommended || !secondPerson ? "revoke" : "propose"];
  }
  const own = proposal.by === reviewer;
  return [...(recommended ? (["revoke"] as const) : []), ...(own ? [] : (["confirm"] as const)), "withdraw"];
}

interface DialogProps {
  change: StandingChange;
  secondPerson: boolean;
  worker: Worker;
  detail: WorkerDetail;
  onChange: (change: Change, reason: string, confirmation: string) => Promise<void>;
  onClose: () => void;
}

function ChangeDialog({ change, secondPerson, worker: { worker }, detail, onChange, onClose }: DialogProps) {
  const decide = (reason: string, typed: string) => onChange(change, reason, typed);
  if (change === "reinstate") {
    return (
      <DecisionDialog title={`Reinstate ${worker}?`} action="Reinstate" onDecide={decide} onClose={onClose}>
        <p>The worker may work again, and all of the work counts again, at once.</p>
      </DecisionDialog>
    );
  }
  if (change === "withdraw") {
    return (
      <DecisionDialog
        title={`Withdraw the proposal to revoke ${worker}?`}
        action="Withdraw"
        reasonIsOptional
        onDecide={decide}
        onClose={onClose}
      >
        <p>Nothing changes for the worker.</p>
      </DecisionDialog>
    );
  }
  const proposes = change === "propose";
  return (
    <DecisionDialog
      title={proposes ? `Propose to revoke ${worker}?` : `Revoke ${worker}?`}
      action={proposes ? "Propose to a second lead" : "Revoke and discard"}
      confirmation={worker}
      reasonIsOptional={change === "confirm"}
      onDecide={decide}
      onClose={onClose}
    >
      {proposes && (
        <p className="note">
          <Icon name="clock" />
          <span>The verdicts that you see do not recommend it. Nothing changes until a second lead confirms it; then:</span>
        </p>
      )}
      {change === "revoke" && secondPerson && (
        <p className="small">
          Where the verdicts of all reviewers together do not recommend it, it waits for a second lead first.
        </p>
      )}
      <Effect of={detail.consequences} />
    </DecisionDialog>
  );
}

function Proposals({ proposals }: { proposals: readonly Proposal[] }) {
  return (
    <>
      <h3>Proposals to revoke</h3>
      <ol className="history">
        {proposals.map((proposal) => (
          <li key={proposal.at}>
            By {proposal.by}, {moment(proposal.at)}: <span dir="auto">{proposal.reason}</span>{" "}
            <span className="muted">
              ({proposal.outcome === null || proposal.closed_at === null
                ? "waits"
                : `${proposal.outcome} by ${proposal.closed_by}, ${moment(proposal.closed_at)}`})
            </span>
          </li>
        ))}
      </ol>
    </>
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
        <strong>{amount(paid_cents)}</strong> was paid and stays paid; {amount(owed_cents)} is still owed and will be
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

function mayWork({ standing }: Worker): boolean {
  return standing !== "revoked" && standing !== "blocked";
}
