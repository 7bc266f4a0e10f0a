/** The newest export, to download, and the newest backup; while one is being made, how far it is. */

import { moment } from "../../review/words";
import type { Run } from "../App";
import type { DataFiles as Files, Job } from "../records";
import { useRenewed } from "../useRenewed";

interface Props {
  campaign: string;
  /** Changes after each act, so that what it started is seen. */
  deeds: number;
  run: Run;
}

export function DataFiles({ campaign, deeds, run }: Props) {
  const files = useRenewed<Files>(campaign, "acts/data-files", { deeds: String(deeds) }, run);
  if (files === null) {
    return null;
  }
  const { export: exported, backup, jobs } = files;
  return (
    <section className="card" aria-labelledby="data-files">
      <h3 id="data-files">Exports and backups</h3>
      {exported === null ? (
        <p>No export was made here yet.</p>
      ) : (
        <p>
          <a className="download" href={`api/acts/export?${new URLSearchParams({ campaign })}`} download>
            Download the dataset
          </a>{" "}
          <span className="muted small">
            {size(exported.bytes)}, exported at {moment(exported.at)}
          </span>
        </p>
      )}
      <p>
        {backup === null ? "No backup was made yet." : `Backup: ${backup.name}`}{" "}
        {backup !== null && <span className="muted small">made at {moment(backup.at)}</span>}
      </p>
      <div role="status">
        {jobs
          .filter(({ stands }) => stands !== "done")
          .map((job) => (
            <p key={job.name}>{progressOf(job)}</p>
          ))}
      </div>
    </section>
  );
}

function progressOf({ name, stands, log_tail }: Job): string {
  const last = log_tail.at(-1) ?? "";
  return stands === "running" ? `The ${name} runs: ${last || "it begins"}` : `The ${name} ${stands === "failed" ? "failed" : `was ${stands}`}. ${last}`;
}

function size(bytes: number): string {
  const [unit, name] = bytes < 2 ** 20 ? [2 ** 10, "KiB"] : [2 ** 20, "MiB"];
  return `${(bytes / unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${name}`;
}
