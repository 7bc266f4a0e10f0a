/** Every worker: what waits for this reviewer, and how the worker stands. Those with something to do come first. */

import { useEffect, useRef, useState } from "react";

import type { Agreement, Overview, Worker } from "./records";
import { Accuracy } from "./Accuracy";
import { address } from "./route";
import { StandingBadge } from "./StandingBadge";
import { useKeys } from "./useKeys";
import { count } from "./words";
import "./workers.css";

const AT_ONCE = 100; // cards

interface Props {
  overview: Overview;
  seesAll: boolean;
  onSeeAll: (all: boolean) => Promise<void>;
}

export function Workers({ overview, seesAll, onSeeAll }: Props) {
  const [sought, setSought] = useState("");
  const [shown, setShown] = useState(AT_ONCE);
  const [asked, setAsked] = useState<boolean | null>(null); // until the server has it
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (shown > AT_ONCE) {
      list.current?.children[shown - AT_ONCE]?.querySelector("a")?.focus(); // the button may be gone
    }
  }, [shown]);
  const seek = (text: string) => {
    setSought(text);
    setShown(AT_ONCE);
  };
  const seeAll = (all: boolean) => {
    setAsked(all);
    void onSeeAll(all).finally(() => setAsked(null));
  };
  const workers = inOrder(overview.workers).filter(({ worker }) => worker.toLowerCase().includes(sought.toLowerCase()));
  const waiting = overview.workers.filter(mayWork).reduce((sum, worker) => sum + worker.to_judge, 0);
  const next = nextWaiting(overview.workers, null);
  useKeys(next === null ? {} : { n: () => (location.hash = address("workers", next)) });
  return (
    <>
      <div className="lead">
        <div>
          <h2>Workers</h2>
          <p role="status">
            {waiting > 0 ? `${count(waiting, "sampled HIT")} wait for you.` : "Nothing waits for you."}{" "}
            <span className="muted">{agreementText(overview.agreement)}</span>
          </p>
        </div>
        {next !== null && (
          <a className="button primary" href={address("workers", next)}>
            Start reviewing
          </a>
        )}
      </div>
      <div className="choices-row">
        <div className="field">
          <label htmlFor="sought">Find a worker</label>
          <input id="sought" type="text" value={sought} onChange={(event) => seek(event.target.value)} />
        </div>
        <div className="see-all">
          <label>
            <input type="checkbox" checked={asked ?? seesAll} onChange={(event) => seeAll(event.target.checked)} />
            Count all reviewers’ verdicts
          </label>
          <p className="muted small">
            Otherwise the accuracy counts the HITs that you have judged, so that your judgement stays your own. It is
            noted in the log.
          </p>
        </div>
      </div>
      {workers.length === 0 ? (
        <p className="card">{sought ? "No worker is called that." : "Nobody has handed in a HIT yet."}</p>
      ) : (
        <ul className="workers" ref={list}>
          {workers.slice(0, shown).map((worker) => (
            <li key={worker.worker} className="card">
              <h3>
                <a href={address("workers", worker.worker)}>{worker.worker}</a>
              </h3>
              <StandingBadge
                standing={worker.standing}
                recommended={worker.recommended}
                proposed={worker.proposal !== null}
              />
              <p className="muted">
                {count(worker.completed, "HIT")}, {worker.sampled} sampled
              </p>
              <p>{waitingText(worker)}</p>
              <Accuracy worker={worker} threshold={overview.threshold} />
            </li>
          ))}
        </ul>
      )}
      {workers.length > shown && (
        <p>
          <button type="button" onClick={() => setShown(shown + AT_ONCE)}>
            Show {Math.min(AT_ONCE, workers.length - shown)} more of {count(workers.length, "worker")}
          </button>
        </p>
      )}
    </>
  );
}

export function waitingText({ to_judge, judged_by_others }: Worker): string {
  if (to_judge === 0) {
    return "All judged";
  }
  return `${to_judge} to judge${judged_by_others > 0 ? ` (${judged_by_others} judged by others)` : ""}`;
}

export function mayWork({ standing }: Worker): boolean {
  return standing !== "revoked" && standing !== "blocked";
}

function inOrder(workers: readonly Worker[]): Worker[] {
  const rank = (worker: Worker) => (!mayWork(worker) ? 3 : worker.recommended || worker.proposal !== null ? 0 : worker.to_judge ? 1 : 2);
  return workers.toSorted((a, b) => rank(a) - rank(b));
}

/** The next worker with HITs to judge after `current`, around the end of the list; null when there is no other. */
export function nextWaiting(workers: readonly Worker[], current: string | null): string | null {
  const at = workers.findIndex(({ worker }) => worker === current);
  const around = [...workers.slice(at + 1), ...workers.slice(0, Math.max(at, 0))];
  return around.filter(mayWork).find(({ to_judge }) => to_judge > 0)?.worker ?? null;
}

function agreementText({ units, percent, alpha }: Agreement): string {
  if (percent === null) {
    return "No HIT has been judged by two reviewers yet.";
  }
  const beyond = alpha === null ? "" : `, Krippendorff’s alpha ${alpha.toFixed(2)}`;
  return `Reviewers agree on ${Math.round(percent)}% of ${count(units, "HIT")} judged twice${beyond}.`;
}
