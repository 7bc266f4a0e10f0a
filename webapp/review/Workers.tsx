/** Every worker: what waits for this reviewer, and how the worker stands. Those with something to do come first. */

import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { Agreement, Overview, Worker } from "./records";
import { Accuracy } from "./Accuracy";
import { address } from "./route";
import { StandingBadge } from "./StandingBadge";
import { useKeys } from "./useKeys";
import type { Queue } from "./useQueue";
import { count } from "./words";
import "./workers.css";

const AT_ONCE = 50; // as a page of the server has

interface Props {
  overview: Overview;
  queue: Queue;
  seesAll: boolean;
  onSeeAll: (all: boolean) => Promise<void>;
}

export function Workers({ overview, queue, seesAll, onSeeAll }: Props) {
  const { page, sought } = queue;
  const [newFrom, setNewFrom] = useState<number | null>(null);
  const [asked, setAsked] = useState<boolean | null>(null); // until the server has it
  const list = useRef<HTMLUListElement>(null);
  const workers = page?.workers ?? [];
  const focusWorker = (at: number) => list.current?.children[at]?.querySelector("a")?.focus();
  const focusVisited = useEffectEvent(() => focusWorker(workers.findIndex(({ worker }) => worker === queue.visited.current)));
  useEffect(() => focusVisited(), []);
  useEffect(() => {
    if (newFrom !== null && workers.length > newFrom) {
      list.current?.children[newFrom]?.querySelector("a")?.focus(); // the button may be gone
      setNewFrom(null);
    }
  }, [newFrom, workers.length]);
  const seeAll = (all: boolean) => {
    setAsked(all);
    void onSeeAll(all).finally(() => setAsked(null));
  };
  const showMore = () => {
    setNewFrom(workers.length);
    void queue.more();
  };
  const { next, to_judge: waiting } = overview;
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
          <input id="sought" type="text" value={sought} onChange={(event) => void queue.seek(event.target.value)} />
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
      {page === null && <p role="status">One moment …</p>}
      {page !== null && workers.length === 0 && (
        <p className="card">{sought ? "No worker is called that." : "Nobody has handed in a HIT yet."}</p>
      )}
      {workers.length > 0 && (
        <ul className="workers" ref={list}>
          {workers.map((worker) => (
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
      {page !== null && page.left > 0 && (
        <p>
          <button type="button" onClick={showMore}>
            Show {Math.min(AT_ONCE, page.left)} more of {count(workers.length + page.left, "worker")}
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

function agreementText({ units, percent, alpha }: Agreement): string {
  if (percent === null) {
    return "No HIT has been judged by two reviewers yet.";
  }
  const beyond = alpha === null ? "" : `, Krippendorff’s alpha ${alpha.toFixed(2)}`;
  return `Reviewers agree on ${Math.round(percent)}% of ${count(units, "HIT")} judged twice${beyond}.`;
}
