/** One verdict with its whole HIT: the context, all attempts and drafts, votes, reviews, and its writer's standing. */

import { useCallback, useEffect, useState } from "react";

import { get } from "../review/api";
import { Writing } from "../review/HitView";
import { ProvideWords } from "../review/kindWords";
import { Replay } from "../review/Replay";
import { Verdicts as Reviews } from "../review/Verdicts";
import { moment, STANDING_WORDS } from "../review/words";
import type { Run } from "./App";
import type { Campaign, Tried } from "./records";
import { reviewAddress, verdictsAddress } from "./route";
import { useChanges } from "./useChanges";

interface Props {
  campaign: Campaign;
  attempt: string;
  run: Run;
}

const STATES: Readonly<Record<Tried["state"], string>> = {
  counts: "It counts.",
  set_aside: "It is set aside.",
  not_handed_in: "It is not handed in.",
  not_confirmed: "The crowd has not confirmed it yet.",
};

export function VerdictPage({ campaign: { key: campaign, rights }, attempt, run }: Props) {
  const [tried, setTried] = useState<Tried | null>(null);
  const load = useCallback(
    () =>
      run(async () => setTried(await get<Tried>(`api/attempt?${new URLSearchParams({ campaign, id: attempt })}`))),
    [campaign, attempt, run],
  );
  useEffect(() => void load(), [load]);
  useChanges(campaign, () => void load());
  return (
    <>
      <p>
        <a href={verdictsAddress(campaign)}>All verdicts</a>
      </p>
      {tried === null ? (
        <p role="status">One moment …</p>
      ) : (
        <ProvideWords value={tried.words}>
          <Hit campaign={campaign} tried={tried} judges={rights.includes("judge")} />
        </ProvideWords>
      )}
    </>
  );
}

function Hit({ campaign, tried, judges }: { campaign: string; tried: Tried; judges: boolean }) {
  const { worker, assignment, accepted_at, submitted_at, edits, attempts, verdicts, history, sampled } = tried;
  const place = sampled ? ["workers", worker, assignment] : ["workers", worker];
  return (
    <>
      <div className="lead">
        <div>
          <h2 dir="auto">A HIT of {worker}</h2>
          <p className="muted">
            Accepted {moment(accepted_at)}
            {submitted_at !== null && `, handed in ${moment(submitted_at)}`}. {STATES[tried.state]}
          </p>
        </div>
        {judges && (
          <a className="button" href={reviewAddress(campaign, ...place)}>
            {sampled ? "Review it" : "Review the worker"}
          </a>
        )}
      </div>
      {judges && edits > 0 && (
        <Replay
          assignment={assignment}
          edits={edits}
          begun={accepted_at}
          path={`review/${encodeURIComponent(campaign)}/api/edits`}
        />
      )}
      <Writing
        worker={worker}
        context={tried.context}
        attempts={attempts}
        begun={accepted_at}
        first={Math.max(0, attempts.findIndex(({ id }) => id === tried.shown))}
        withKeys
      />
      {tried.feedback !== null && (
        <section className="card">
          <h3>Feedback of the worker</h3>
          <p dir="auto">{tried.feedback}</p>
        </section>
      )}
      {sampled && verdicts !== null && (
        <section className="card">
          <h3>Reviews</h3>
          <Reviews {...verdicts} />
        </section>
      )}
      {history.length > 0 && (
        <section className="card">
          <h3>Decisions about the worker</h3>
          <ul className="decisions">
            {history.map(({ at, standing, by, reason }, number) => (
              <li key={number} dir="auto">
                {moment(at)} · {STANDING_WORDS[standing]} by {by}
                {reason && `: ${reason}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
