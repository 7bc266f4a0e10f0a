/** Campaigns that are being started, and the beginning of another one. */

import { useCallback, useEffect, useState } from "react";

import { SelectField } from "../../review/SelectField";
import { moment } from "../../review/words";
import type { Run } from "../App";
import type { Starts as Listed } from "../records";
import { figuresAddress, startAddress } from "../route";
import { Table } from "../Table";
import { begin, listed } from "./calls";
import { DiscardDialog } from "./SmallDialogs";

interface Props {
  token: string;
  run: Run;
}

export function Starts({ token, run }: Props) {
  const [starts, setStarts] = useState<Listed | null>(null);
  const [task, setTask] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [discarding, setDiscarding] = useState<string | null>(null);
  const load = useCallback(() => run(async () => setStarts(await listed())), [run]);
  useEffect(() => void load(), [load]);
  if (starts === null) {
    return null;
  }
  const chosen = starts.tasks.includes(task) ? task : (starts.tasks[0] ?? "");
  const start = async () => {
    setBusy(true);
    await run(async () => {
      location.hash = startAddress((await begin(chosen, token)).id);
    });
    setBusy(false);
  };
  return (
    <section className="card starts" aria-labelledby="starts">
      <h3 id="starts">New campaign</h3>
      <SelectField label="Task" value={chosen} options={starts.tasks.map((name) => [name, name])} onChange={setTask} />
      <div className="actions">
        <button type="button" className="primary" disabled={isBusy || chosen === ""} onClick={() => void start()}>
          New campaign
        </button>
      </div>
      {starts.drafts.length > 0 && (
        <Table
          name="Table of drafts"
          heads
          header={["Draft", "Task", "Changed by", "At", "State"]}
          rows={starts.drafts.map(({ id, name, task: of, by, changed_at, campaign }) => [
            <a key={id} href={startAddress(id)}>
              {name || "without a name"}
            </a>,
            of,
            by,
            moment(changed_at),
            campaign === null ? (
              "a draft"
            ) : (
              <a key="launched" href={figuresAddress(campaign)}>
                launched<span className="visually-hidden"> as {name}</span>
              </a>
            ),
          ])}
        />
      )}
      {starts.unreadable.length > 0 && (
        <ul className="small to-correct" aria-label="Drafts that cannot be read">
          {starts.unreadable.map(({ id, fault }) => (
            <li key={id}>
              {fault}{" "}
              <button type="button" onClick={() => setDiscarding(id)}>
                Discard it …
              </button>
            </li>
          ))}
        </ul>
      )}
      {discarding !== null && (
        <DiscardDialog id={discarding} token={token} run={run} onDone={() => void load()} onClose={() => setDiscarding(null)} />
      )}
    </section>
  );
}
