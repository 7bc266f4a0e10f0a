/** A campaign that is being started: its choices with their faults, its cost, a rehearsal, a forecast, the launch. */

import { useEffect, useRef, useState } from "react";

import { countIn } from "../../review/words";
import { Problem } from "../../src/design/problem/Problem";
import type { Run } from "../App";
import { JobList } from "../acts/Jobs";
import { Cost } from "../acts/LookView";
import type { Job, SignedIn } from "../records";
import { actsAddress } from "../route";
import { startJob } from "./calls";
import { CrowdFields } from "./CrowdFields";
import { ForecastSection } from "./ForecastSection";
import { LaunchDialog } from "./LaunchDialog";
import { PayFields } from "./PayFields";
import { DiscardDialog, StopDialog } from "./SmallDialogs";
import { TaskFields } from "./TaskFields";
import { type Editing, useDraft } from "./useDraft";
import { WORDS } from "./fields";
import "../acts/acts.css";
import "../campaignFigures.css";
import "./starts.css";

interface Props {
  id: string;
  session: SignedIn;
  run: Run;
  /** The campaigns have to be listed anew; `told` is what is to be said of it. */
  onLaunched: (told: string) => Promise<void>;
}

export function StartPage({ id, session, run, onLaunched }: Props) {
  const editing = useDraft(id, session.form_token, run);
  if (editing === null) {
    return <p role="status">One moment …</p>;
  }
  return <Start editing={editing} session={session} run={run} onLaunched={onLaunched} />;
}

function Start({ editing, session, run, onLaunched }: Omit<Props, "id"> & { editing: Editing }) {
  const [isLaunching, setLaunching] = useState(false);
  const [isDiscarding, setDiscarding] = useState(false);
  const [stopping, setStopping] = useState<Job | null>(null);
  const { draft, choices, isSaved, problem, reload } = editing;
  const { id, campaign } = draft;
  const heading = useRef<HTMLHeadingElement>(null);
  const ofJobs = useRef<HTMLHeadingElement>(null);
  const isRehearsing = isRunning(editing, "rehearsal");
  const wasStopping = useRef(false);
  useEffect(() => {
    if (wasStopping.current && stopping === null && document.activeElement === document.body) {
      ofJobs.current?.focus(); // the button is gone
    }
    wasStopping.current = stopping !== null;
  }, [stopping]);
  const isUnknown = campaign !== null && !session.campaigns.some(({ key }) => key === campaign);
  useEffect(() => {
    if (isUnknown) {
      void onLaunched(""); // it has begun, though its first stage may not have
    }
  }, [isUnknown, onLaunched]);
  countIn(draft.unit);
  return (
    <>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          New campaign{choices.name !== "" && ` ${choices.name}`}
        </h2>
        <p className="muted small" role="status">
          {campaign !== null ? "Launched." : isSaved ? "Everything is kept here, also when you close the page." : "Not kept yet …"}
        </p>
      </div>
      {campaign !== null && (
        <p className="card">
          This draft was launched. <a href={actsAddress(campaign)}>Its acts</a>
        </p>
      )}
      {problem !== "" && (
        <div className="card">
          <Problem message={problem} />
          <div className="actions">
            <button
              type="button"
              onClick={() => {
                heading.current?.focus();
                reload();
              }}
            >
              Load it again, without your last change
            </button>
          </div>
        </div>
      )}
      <fieldset className="start" disabled={campaign !== null}>
        <legend className="visually-hidden">Choices</legend>
        <TaskFields editing={editing} token={session.form_token} run={run} />
        <CrowdFields editing={editing} />
        <PayFields editing={editing} />
      </fieldset>
      <div className="start">
        <CostCard editing={editing} />
        <section className="card" aria-labelledby="rehearsal">
          <h3 id="rehearsal" ref={ofJobs} tabIndex={-1}>
            Rehearsal and forecast
          </h3>
          <p className="small">
            Simulated people do a small campaign like this one, on a marketplace of its own: nobody is paid. It takes some
            minutes, and goes on without this page.
            {campaign === null &&
              draft.jobs.some(({ name, stands }) => name === "rehearsal" && stands === "done") &&
              !draft.is_rehearsed &&
              " The last rehearsal was of other choices."}
          </p>
          <div className="actions">
            <button
              type="button"
              disabled={campaign !== null || draft.faults.length > 0}
              aria-disabled={isRehearsing || undefined}
              onClick={() => {
                if (!isRehearsing) {
                  void run(() => editing.act(({ id: of }) => startJob(of, "rehearsal", session.form_token)));
                }
              }}
            >
              Rehearse
            </button>
          </div>
          <JobList jobs={draft.jobs} onStop={setStopping} />
          <ForecastSection editing={editing} token={session.form_token} run={run} />
        </section>
        <YamlCard yaml={draft.yaml} name={choices.name} />
        <section className="card" aria-labelledby="launch">
          <h3 id="launch">Launch</h3>
          {draft.faults.length > 0 && (
            <ul className="small to-correct" aria-label="To be corrected">
              {draft.faults.map(({ field, message }) => (
                <li key={field}>
                  {WORDS[field] ?? field}: {message}
                </li>
              ))}
            </ul>
          )}
          <div className="actions">
            {campaign === null && (
              <button type="button" className="primary" disabled={draft.faults.length > 0} onClick={() => setLaunching(true)}>
                Launch …
              </button>
            )}
            <button type="button" onClick={() => setDiscarding(true)}>
              Discard this draft …
            </button>
          </div>
        </section>
      </div>
      {isLaunching && (
        <LaunchDialog
          editing={editing}
          token={session.form_token}
          run={run}
          onClose={() => setLaunching(false)}
          onLaunched={async ({ campaign: key, told }) => {
            await onLaunched(told);
            location.hash = actsAddress(key);
          }}
        />
      )}
      {isDiscarding && (
        <DiscardDialog
          id={id}
          token={session.form_token}
          run={run}
          onDone={() => {
            location.hash = "#/";
          }}
          onClose={() => setDiscarding(false)}
        />
      )}
      {stopping !== null && (
        <StopDialog job={stopping} editing={editing} token={session.form_token} run={run} onClose={() => setStopping(null)} />
      )}
    </>
  );
}

function isRunning({ draft }: Editing, job: string): boolean {
  return draft.jobs.some(({ name, stands }) => name === job && stands === "running");
}

function CostCard({ editing: { draft, isSaved } }: { editing: Editing }) {
  return (
    <section className="card look" aria-labelledby="cost">
      <h3 id="cost">What it may cost</h3>
      {draft.estimate === null ? <p>This is told once the choices above have no fault.</p> : <Cost estimate={draft.estimate} />}
      {!isSaved && <p className="muted small">Without your last change.</p>}
    </section>
  );
}

function YamlCard({ yaml, name }: { yaml: string; name: string }) {
  return (
    <section className="card" aria-labelledby="yaml">
      <h3 id="yaml">As a file</h3>
      <p className="small">Your choices as a file that <code>beat-the-ai launch</code> takes: the command is its first line.</p>
      <pre className="yaml" tabIndex={0} role="region" aria-label="YAML">
        {yaml}
      </pre>
      <p>
        <a className="log-link" href={`data:application/yaml;charset=utf-8,${encodeURIComponent(yaml)}`} download={`${name || "campaign"}.yaml`}>
          Download
        </a>
      </p>
    </section>
  );
}
