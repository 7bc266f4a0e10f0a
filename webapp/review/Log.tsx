/** Who did what, when, to whom. */

import { useCallback, useEffect, useState } from "react";

import { get } from "./api";
import type { LogPart } from "./records";
import type { Desk } from "./desk";
import { moment, spelled } from "./words";
import "./log.css";

export function Log({ desk: { run } }: { desk: Desk }) {
  const [log, setLog] = useState<LogPart | null>(null);
  const load = useCallback(
    (before: number | null) =>
      run(async () => {
        const part = await get<LogPart>(before === null ? "api/log" : `api/log?before=${before}`);
        setLog((shown) => ({
          ...part,
          entries: [...(before === null ? [] : (shown?.entries ?? [])), ...part.entries],
        }));
      }),
    [run],
  );
  useEffect(() => void load(null), [load]);
  return (
    <>
      <h2>Log</h2>
      <p className="muted">
        The newest first. Others’ verdicts on HITs that you have not judged are left out. Each entry holds a hash of the
        one before: <code>beat-the-ai review audit CAMPAIGN --check</code> tells whether one was changed.
      </p>
      <div className="card table" role="region" aria-label="Log" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Whom</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {log?.entries.map((entry) => (
              <tr key={entry.id}>
                <td>{moment(entry.at)}</td>
                <td dir="auto">
                  {entry.who}
                  {entry.machine_user && <span className="muted"> (command line, {entry.machine_user})</span>}
                </td>
                <td>{spelled(entry.action)}</td>
                <td dir="auto">{entry.subject}</td>
                <td dir="auto">{entry.note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {log !== null && log.before !== null && (
        <button type="button" onClick={() => load(log.before)}>
          Older entries
        </button>
      )}
    </>
  );
}
