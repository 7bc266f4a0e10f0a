/** Processes that acts have started, with the end of their logs. */

import { moment } from "../../review/words";
import type { Job } from "../records";

const STANDS_WORDS: Readonly<Record<Job["stands"], string>> = {
  running: "runs",
  done: "done",
  failed: "failed",
  killed: "was killed; it can be started again",
  stopped: "was stopped; it can be started again",
};

export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <section className="card" aria-labelledby="jobs">
      <h3 id="jobs">Jobs</h3>
      <JobList jobs={jobs} />
    </section>
  );
}

interface ListProps {
  jobs: readonly Job[];
  /** Ask whether a job that runs is to be stopped; null where none can be. */
  onStop?: ((job: Job) => void) | null;
}

export function JobList({ jobs, onStop = null }: ListProps) {
  return (
    <>
      {jobs.length === 0 && <p>None was started yet.</p>}
      <ul className="jobs">
        {jobs.map((job) => (
          <li key={job.name}>
            <p>
              <strong>{job.name}</strong>: {STANDS_WORDS[job.stands]}
            </p>
            <p className="muted small">
              Started by <bdi>{job.by}</bdi> at {moment(job.began_at)}
              {job.ended_at !== null && `, ended at ${moment(job.ended_at)}`}
              {job.stands === "stopped" && (
                <>
                  , stopped by <bdi>{job.stopped_by}</bdi>
                </>
              )}
            </p>
            {onStop !== null && job.stands === "running" && (
              <div className="actions">
                <button type="button" onClick={() => onStop(job)}>
                  Stop the {job.name} …
                </button>
              </div>
            )}
            {job.log_tail.length > 0 && (
              <details>
                <summary>The end of its log</summary>
                <pre tabIndex={0} role="region" aria-label={`Log of ${job.name}`}>
                  {job.log_tail.join("\n")}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
