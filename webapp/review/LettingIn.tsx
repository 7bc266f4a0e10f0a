/** Several newcomers who are let in together: each by a decision of their own. */

import { useEffect, useRef, useState } from "react";

import { messageOf } from "./api";
import { DecisionDialog } from "./DecisionDialog";
import { type Desk, lag } from "./desk";
import type { Candidate, Outcome } from "./records";
import { count, spelled } from "./words";

interface Props {
  /** Those about whom a lead may decide. */
  candidates: readonly Candidate[];
  chosen: ReadonlySet<string>;
  desk: Desk;
  onChoose: (chosen: ReadonlySet<string>) => void;
  /** Some are let in. */
  onDecided: () => Promise<void>;
}

export function LettingIn({ candidates, chosen, desk, onChoose, onDecided }: Props) {
  const [asks, setAsks] = useState(false);
  const [said, say] = useState("");
  const wanted = candidates.filter(({ worker }) => chosen.has(worker));
  const all = wanted.length === candidates.length;
  const status = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (!asks && said !== "") {
      status.current?.focus(); // the button is off by now
    }
  }, [asks, said]);

  const letIn = async (reason: string) => {
    const left = new Set<string>();
    const problems: string[] = [];
    for (const { worker } of wanted) {
      try {
        const sent = { worker, change: "grant", reason, confirmation: "" } as const;
        const behind = lag(await desk.send<Outcome>("api/standings", sent));
        if (behind !== null) {
          problems.push(`${worker}: ${behind}`);
        }
      } catch (error) {
        left.add(worker);
        problems.push(`${worker} is left: ${messageOf(error)}`);
      }
    }
    onChoose(left);
    say(`${count(wanted.length - left.size, "newcomer")} let in.`);
    await onDecided();
    if (problems.length > 0) {
      await desk.run(() => Promise.reject(new Error(problems.join(" "))));
    }
  };

  return (
    <>
      {candidates.length > 1 && (
        <section className="card letting-in" aria-label="Let in together">
          <label>
            <input
              type="checkbox"
              checked={all}
              ref={(box) => {
                if (box !== null) {
                  box.indeterminate = wanted.length > 0 && !all;
                }
              }}
              onChange={() => onChoose(new Set(all ? [] : candidates.map(({ worker }) => worker)))}
            />
            Choose all {candidates.length}
          </label>
          <button type="button" className="primary" disabled={wanted.length === 0} onClick={() => setAsks(true)}>
            Let {wanted.length} in …
          </button>
        </section>
      )}
      <p ref={status} role="status" tabIndex={-1} className={said === "" ? "visually-hidden" : "muted"}>
        {said}
      </p>
      {asks && (
        <DecisionDialog
          title={`Let ${count(wanted.length, "newcomer")} in?`}
          action={`Let ${wanted.length} in`}
          reasonIsOptional
          onDecide={letIn}
          onClose={() => setAsks(false)}
        >
          <p className="small">
            They may then take every HIT of the campaign. Each is a decision of its own, with the same reason.
          </p>
          <ul className="small chosen">
            {wanted.map(({ worker, screening }) => (
              <li key={worker}>
                <bdi>{worker}</bdi>: {screening?.outcome ? spelled(screening.outcome) : "no screening"}
              </li>
            ))}
          </ul>
        </DecisionDialog>
      )}
    </>
  );
}
