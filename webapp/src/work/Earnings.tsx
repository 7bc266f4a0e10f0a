/** What the worker has earned in this campaign before this HIT: asked for once the page is open, so that nothing waits for it. */

import { useEffect, useState } from "react";

import type { Desk } from "../pages/page";
import { say } from "../words/say";
import { amount } from "./money";
import "./earnings.css";

/** Amounts are hundredths of the campaign's unit. */
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
      <h2 id="earnings-title">{say("work.earnings")}</h2>
      <dl>
        <div>
          <dt>{say("work.earnings.earned")}</dt>
          <dd>{amount(earned_cents)}</dd>
        </div>
        <div>
          <dt>{say("work.earnings.paid")}</dt>
          <dd>{amount(paid_cents)}</dd>
        </div>
        <div>
          <dt>{say("work.earnings.pending")}</dt>
          <dd>{amount(pending_cents)}</dd>
        </div>
        <div>
          <dt>{say("work.earnings.hourly")}</dt>
          <dd>{hourly === null ? say("work.earnings.none") : amount(Math.round(hourly.median_cents))}</dd>
        </div>
      </dl>
      <p>
        {hits_waiting > 0 && say("work.earnings.waiting", { count: hits_waiting })}{" "}
        {hourly !== null && say("work.earnings.middle", { count: hourly.assignments })}
      </p>
    </section>
  );
}
