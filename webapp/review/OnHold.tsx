/** HITs that are not paid by themselves, and a lead's decision about each. */

import { useEffect, useState } from "react";

import { get } from "./api";
import { DecisionDialog } from "./DecisionDialog";
import type { Desk } from "./desk";
import type { HeldHit, HeldHits } from "./records";
import { amount, moment } from "./words";
import "./onHold.css";

export function OnHold({ desk }: { desk: Desk }) {
  const { lead, run, send } = desk;
  const [hits, setHits] = useState<HeldHits | null>(null);
  const [question, ask] = useState<{ hit: HeldHit; pays: boolean } | null>(null);
  useEffect(() => void run(async () => setHits(await get<HeldHits>("api/held"))), [run]);

  const decide = async ({ assignment }: HeldHit, pays: boolean, reason: string, category: string) =>
    setHits(await send<HeldHits>("api/pay-decisions", { assignment, pays, reason, category: category || null }));
  if (hits === null) {
    return <p role="status">One moment …</p>;
  }
  const asked = question?.pays === false ? hits.rejections : null;
  return (
    <>
      <h2>On hold</h2>
      <p className="muted">
        These HITs are not paid until a lead has decided. What is released is paid by the next{" "}
        <code>beat-the-ai pay</code>; what is withheld is rejected at the crowd.
      </p>
      {hits.held.length === 0 && <p className="card">Nothing is on hold.</p>}
      {hits.held.map((hit) => (
        <article key={hit.assignment} className="card on-hold" aria-label={`A HIT of ${hit.worker}`}>
          <h3 dir="auto">{hit.worker}</h3>
          <p className="muted small">
            {hit.work === "writing" ? "Writing" : "Validation"} · accepted {moment(hit.accepted_at)} ·{" "}
            {hit.submitted_at === null ? "never handed in" : `handed in ${moment(hit.submitted_at)}`} ·{" "}
            {amount(hit.cents)} if it is paid, with fees
          </p>
          <p dir="auto">{hit.why}</p>
          {hit.decision !== null && (
            <p className="small">
              <strong>
                {hit.decision.pays ? "Released" : "Withheld"} by {hit.decision.by}
              </strong>
              {hit.decision.category !== null && ` as ${hit.decision.category}`}
              : <span dir="auto">{hit.decision.reason}</span>
            </p>
          )}
          {lead && (
            <div className="actions">
              {hit.decision?.pays !== true && (
                <button type="button" className="primary" onClick={() => ask({ hit, pays: true })}>
                  Release …<span className="visually-hidden"> the HIT of {hit.worker}</span>
                </button>
              )}
              {hit.decision?.pays !== false && (
                <button type="button" onClick={() => ask({ hit, pays: false })}>
                  Withhold …<span className="visually-hidden"> the pay of {hit.worker}</span>
                </button>
              )}
            </div>
          )}
        </article>
      ))}
      {question !== null && (
        <DecisionDialog
          title={question.pays ? `Pay this HIT of ${question.hit.worker}?` : `Reject this HIT of ${question.hit.worker}?`}
          action={question.pays ? "Release" : "Withhold"}
          rejections={asked}
          onDecide={(reason, _, category) => decide(question.hit, question.pays, reason, category)}
          onClose={() => ask(null)}
        >
          <p className="small">
            {question.pays
              ? "It is paid as work that counts."
              : asked === null
                ? "It is not paid. The worker does not see the reason."
                : "It is not paid. The worker reads the reason as you write it."}
          </p>
        </DecisionDialog>
      )}
    </>
  );
}
