/** Newcomers: what they did in their screening, and who is let in. */

import { useCallback, useEffect, useState } from "react";

import { type Change, get } from "./api";
import type { Candidate, Candidates as Newcomers, Screening } from "./records";
import { DecisionDialog } from "./DecisionDialog";
import { FieldsList } from "./FieldsList";
import { Writing } from "./HitView";
import { LettingIn } from "./LettingIn";
import { Requests } from "./Requests";
import type { Desk, Requested } from "./desk";
import { StandingBadge } from "./StandingBadge";
import { count, duration, moment, spelled } from "./words";
import "./candidates.css";

export function Candidates({ desk, requested }: { desk: Desk; requested: Requested }) {
  const [candidates, setCandidates] = useState<readonly Candidate[] | null>(null);
  const { run } = desk;
  const load = useCallback(
    () =>
      run(async () => setCandidates((await get<Newcomers>("api/candidates")).candidates)),
    [run],
  );
  useEffect(() => void load(), [load]);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  if (candidates === null) {
    return <p role="status">One moment …</p>;
  }
  const waiting = candidates.filter(({ decidable }) => decidable);
  const decide = async (worker: string, change: Change, reason: string) => {
    await desk.changeStanding(worker, change, reason);
    await load();
  };
  return (
    <>
      <h2>Candidates</h2>
      {!desk.lead && <p className="muted">A lead decides who is let in.</p>}
      {desk.lead && (
        <LettingIn
          candidates={waiting}
          chosen={chosen}
          desk={desk}
          onChoose={choose}
          onDecided={async () => {
            await Promise.all([desk.reload(), load()]);
          }}
        />
      )}
      <Requests requested={requested} lead={desk.lead} onDecide={decide} />
      {candidates.length === 0 ? (
        <p className="card">There are no screenings in this campaign.</p>
      ) : (
        candidates.map((candidate) => (
          <CandidateCard
            key={candidate.worker}
            candidate={candidate}
            lead={desk.lead}
            chosen={waiting.length > 1 ? chosen.has(candidate.worker) : null}
            onChoose={() => choose(toggled(chosen, candidate.worker))}
            onDecide={(change, reason) => decide(candidate.worker, change, reason)}
          />
        ))
      )}
    </>
  );
}

function toggled(chosen: ReadonlySet<string>, worker: string): ReadonlySet<string> {
  const others = [...chosen].filter((each) => each !== worker);
  return new Set(others.length < chosen.size ? others : [...others, worker]);
}

interface CardProps {
  candidate: Candidate;
  lead: boolean;
  /** Whether they are to be let in with others; null where there are no others. */
  chosen: boolean | null;
  onChoose: () => void;
  onDecide: (change: Change, reason: string) => Promise<void>;
}

function CandidateCard({ candidate, lead, chosen, onChoose, onDecide }: CardProps) {
  const { worker, standing, screening, decidable } = candidate;
  const [question, ask] = useState<"grant" | "refuse" | null>(null);
  const waits = standing?.standing === "candidate";
  const outcome = screening?.outcome ?? null;
  return (
    <section className="card candidate" aria-label={worker}>
      <div className="lead">
        <div>
          <h3>{worker}</h3>
          <StandingBadge standing={standing?.standing ?? null} recommended={false} />
        </div>
        {decidable && lead && (
          <div className="actions">
            {chosen !== null && (
              <label>
                <input type="checkbox" checked={chosen} onChange={onChoose} />
                Choose<span className="visually-hidden"> {worker}</span>
              </label>
            )}
            <button type="button" className="primary" onClick={() => ask("grant")}>
              Grant …
            </button>
            <button type="button" onClick={() => ask("refuse")}>
              Refuse …
            </button>
          </div>
        )}
      </div>
      {screening === null ? (
        <p className="muted">Nothing of a screening is in the store.</p>
      ) : (
        <details open={waits}>
          <summary>Screening: {outcome === null ? "not handed in" : spelled(outcome)}</summary>
          <ScreeningView worker={worker} screening={screening} />
        </details>
      )}
      {question !== null && (
        <DecisionDialog
          title={question === "grant" ? `Let ${worker} in?` : `Refuse ${worker}?`}
          action={question === "grant" ? "Grant" : "Refuse"}
          reasonIsOptional={question === "grant"}
          onDecide={(reason) => onDecide(question, reason)}
          onClose={() => ask(null)}
        >
          {outcome !== null && outcome !== "passed" && (
            <p className="small">
              By the grader: <strong>{spelled(outcome)}</strong>. A person decides.
            </p>
          )}
          <p className="small">
            {question === "grant"
              ? "The worker may then take every HIT of the campaign."
              : "The worker cannot enter again by another screening. What was earned is paid."}
          </p>
        </DecisionDialog>
      )}
    </section>
  );
}

function ScreeningView({ worker, screening }: { worker: string; screening: Screening }) {
  return (
    <>
      <p className="muted">
        Begun {moment(screening.started_at)}
        {screening.submitted_at && `, took ${duration(screening.started_at, screening.submitted_at)}`} ·{" "}
        {count(screening.steps.length, "answer")} in the quiz
      </p>
      <ol className="steps">
        {screening.steps.map((step, at) => (
          <li key={at} data-right={step.mistake === null}>
            <strong>
              {spelled(step.step)}: {step.mistake === null ? "right" : `mistake: ${spelled(step.mistake)}`}
            </strong>
            <FieldsList fields={step.work} />
            <FieldsList fields={step.evidence} className="muted" />
          </li>
        ))}
      </ol>
      <h4>Sample HIT</h4>
      {screening.attempts.length === 0 ? (
        <p className="muted">Nothing was written in it.</p>
      ) : (
        <Writing
          worker={worker}
          context={screening.context}
          attempts={screening.attempts}
          begun={screening.started_at}
        />
      )}
      {screening.feedback && <p dir="auto">{screening.feedback}</p>}
    </>
  );
}
