/** What the worker has earned in this campaign before this HIT: asked for once the page is open, so that nothing waits for it. */

import { useEffect, useState } from "react";

import type { Desk } from "../pages/page";
import { dollars } from "./money";
import "./earnings.css";

/** Amounts are US cents. */
interface Pay {
  earned_cents: number;
  paid_cents: number;
  pending_cents: number;
  /** HITs that were handed in, and that nobody has confirmed or decided upon. */
  hits_waiting: number;
  /** The median over so many HITs; null before there is one. */
  hourly: { median_cents: number; assignments: number } | null;
}

export function Earnings({ desk }: { desk: Desk }) {
  const [pay, setPay] = useState<Pay | null>(null);
  useEffect(() => {
    let current = true;
    void desk.call<{ earnings: Pay }>("earnings", {}).then((reply) => {
      if (current && reply.ok) {
        setPay(reply.earnings);
      }
    });
    return () => {
      current = false;
    };
  }, [desk]);
  return pay === null ? null : <Statement pay={pay} />;
}

function Statement({ pay }: { pay: Pay }) {
  const { earned_cents, paid_cents, pending_cents, hits_waiting, hourly } = pay;
  return (
    <section className="earnings card" aria-labelledby="earnings-title" data-testid="earnings">
      <h2 id="earnings-title">Your pay in this project so far</h2>
      <dl>
        <div>
          <dt>Earned</dt>
          <dd>{dollars(earned_cents)}</dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{dollars(paid_cents)}</dd>
        </div>
        <div>
          <dt>Pending</dt>
          <dd>{dollars(pending_cents)}</dd>
        </div>
        <div>
          <dt>By the hour</dt>
          <dd>{hourly === null ? "none yet" : dollars(Math.round(hourly.median_cents))}</dd>
        </div>
      </dl>
      <p>
        {hits_waiting > 0 &&
          `${hits_waiting === 1 ? "One HIT is" : `${hits_waiting} HITs are`} not counted yet: handed in, and not confirmed. `}
        {hourly !== null &&
          `By the hour is the middle of your ${hourly.assignments === 1 ? "one HIT" : `${hourly.assignments} HITs`}, from accepting to handing in, pauses included.`}
      </p>
    </section>
  );
}
