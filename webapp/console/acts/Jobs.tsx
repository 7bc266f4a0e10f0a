/** Processes that acts have started, with the end of their logs. */

import { moment } from "../../review/words";
import type { Job } from "../records";

const STANDS_WORDS: Readonly<Record<Job["stands"], string>> = {
  running: "runs",
  done: "done",
  failed: "failed",
  killed: "was killed; it can be started again",
};

export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <section className="card" aria-labelledby="jobs">
      <h3 id="jobs">Jobs</h3>
      <JobList jobs={jobs} />
    </section>
  );
}

export function JobList({ jobs }: { jobs: readonly Job[] }) {
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
            </p>
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
