/** A HIT with its context and everything written and tried. */

import { useState } from "react";

import type { Attempt, Context, Hit } from "./records";
import { AttemptCard, EvidenceList } from "./AttemptCard";
import { useWords } from "./kindWords";
import { MarkedPassage, spanOf } from "./MarkedPassage";
import { Replay } from "./Replay";
import { useKeys } from "./useKeys";
import { count, duration, moment } from "./words";
import "./hitView.css";

export function HitView({ hit }: { hit: Hit }) {
  return (
    <>
      <p className="muted">
        Handed in {moment(hit.submitted_at)}, {duration(hit.accepted_at, hit.submitted_at)} after it was accepted ·{" "}
        {count(hit.attempts.length, "attempt")}
      </p>
      <EvidenceList evidence={hit.evidence} />
      {hit.edits > 0 && <Replay assignment={hit.assignment} edits={hit.edits} begun={hit.accepted_at} />}
      <Writing worker={hit.worker} context={hit.context} attempts={hit.attempts} begun={hit.accepted_at} withKeys />
      {hit.feedback && (
        <section className="card">
          <h3>Feedback of the worker</h3>
          <p dir="auto">{hit.feedback}</p>
        </section>
      )}
    </>
  );
}

interface WritingProps {
  /** Several of these may stand on one page, all on one context: each says whose it is. */
  worker: string;
  context: Context;
  attempts: readonly Attempt[];
  begun: string;
  /** 1 to 9 choose the work that is marked in the context. */
  withKeys?: boolean;
  /** The attempt that is marked in the context at first. */
  first?: number;
}

export function Writing({ worker, context, attempts, begun, withKeys = false, first = 0 }: WritingProps) {
  const [chosen, setChosen] = useState(first);
  const attempt = attempts[chosen];
  const words = useWords();
  const heading = context.title || words.context.slice(0, 1).toUpperCase() + words.context.slice(1);
  const numbered = withKeys ? attempts.slice(0, 9) : [];
  useKeys(Object.fromEntries(numbered.map((_, at) => [String(at + 1), () => setChosen(at)])));
  return (
    <div className="columns">
      <section className="card reading" aria-label={`${heading}, as ${worker} had it`}>
        <h3 dir="auto">{heading}</h3>
        <MarkedPassage
          text={context.text}
          writer={spanOf(attempt?.work.answer)}
          model={attempt === undefined ? null : spanOf(attempt.prediction)}
        />
        {attempt !== undefined && spanOf(attempt.work.answer) !== null && (
          <p className="legend">
            <span>
              <span className="marked">Writer</span>
            </span>
            <span>
              <span className="model">Model</span>
            </span>
            <span className="muted">
              {words.work} {chosen + 1}
            </span>
          </p>
        )}
      </section>
      <section aria-label={`Everything that ${worker} wrote and tried`}>
        {attempts.length === 0 ? (
          <p className="card">The HIT was handed in without a single attempt.</p>
        ) : (
          <ol className="attempts">
            {attempts.map((attempt, at) => (
              <AttemptCard
                key={attempt.id}
                attempt={attempt}
                number={at + 1}
                since={attempts[at - 1]?.created_at ?? begun}
                shown={at === chosen}
                onShow={() => setChosen(at)}
              />
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}
