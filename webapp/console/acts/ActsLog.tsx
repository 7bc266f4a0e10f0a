/** The newest entries of the log about acts, those of the command line too. */

import { moment, spelled } from "../../review/words";
import type { LogEntry } from "../records";
import { reviewAddress } from "../route";
import { Table } from "../Table";

export function ActsLog({ campaign, entries }: { campaign: string; entries: readonly LogEntry[] }) {
  return (
    <section className="card wide wraps" aria-labelledby="acts-log">
      <h3 id="acts-log">Log</h3>
      {entries.length === 0 ? (
        <p>Nothing was done yet.</p>
      ) : (
        <Table
          name="Log of acts"
          header={["When", "Who", "What", "Note"]}
          rows={entries.map(({ at, who, machine_user, action, note }) => [
            moment(at),
            machine_user === "" ? who : `${who} (command line, ${machine_user})`,
            spelled(action),
            note,
          ])}
        />
      )}
      <p>
        <a className="log-link" href={reviewAddress(campaign, "log")}>
          The whole log
        </a>
      </p>
    </section>
  );
}
