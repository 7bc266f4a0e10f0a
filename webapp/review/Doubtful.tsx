/** Works that wait for a person before they count. */

import { useEffect, useState } from "react";

import { get } from "./api";
import type { DoubtfulWork, DoubtfulWorks } from "./records";
import { DecisionDialog } from "./DecisionDialog";
import { DoubtsNote } from "./DoubtsNote";
import { FieldsList } from "./FieldsList";
import type { Desk } from "./desk";
import { moment } from "./words";
import "./doubtful.css";

interface Props {
  desk: Desk;
  onSettled: () => Promise<void>;
}

export function Doubtful({ desk, onSettled }: Props) {
  const { lead, run, send } = desk;
  const [works, setWorks] = useState<readonly DoubtfulWork[] | null>(null);
  const [question, ask] = useState<{ work: DoubtfulWork; admitted: boolean } | null>(null);
  useEffect(() => void run(async () => setWorks((await get<DoubtfulWorks>("api/doubtful")).doubtful)), [run]);

  const settle = async ({ attempt }: DoubtfulWork, admitted: boolean, reason: string) => {
    setWorks((await send<DoubtfulWorks>("api/admissions", { attempt, admitted, reason })).doubtful);
    await onSettled();
  };
  if (works === null) {
    return <p role="status">One moment …</p>;
  }
  return (
    <>
      <h2>Doubtful works</h2>
      <p className="muted">
        A check found something that only a person can judge, and the writer asked for that. What is not admitted counts
        nowhere and brings no bonus; the HIT is paid all the same.
      </p>
      {works.length === 0 && <p className="card">Nothing is doubtful.</p>}
      {works.map((work) => (
        <article key={work.attempt} className="card doubtful" aria-label={`A work of ${work.worker}`}>
          <h3 dir="auto">{work.worker}</h3>
          <p className="muted small">
            {moment(work.at)} · <span dir="auto">{work.context.title || work.context.id}</span> ·{" "}
            {work.fooled ? "beat the AI" : "the AI was right"} ·{" "}
            {work.counts ? "handed in" : "the HIT was not handed in, or is not confirmed"}
          </p>
          <FieldsList fields={work.work} />
          <DoubtsNote doubted={work} />
          {lead && (
            <div className="actions">
              {work.admitted !== true && (
                <button type="button" className="primary" onClick={() => ask({ work, admitted: true })}>
                  Admit …<span className="visually-hidden"> the work of {work.worker}</span>
                </button>
              )}
              {work.admitted !== false && (
                <button type="button" onClick={() => ask({ work, admitted: false })}>
                  Do not admit …<span className="visually-hidden"> the work of {work.worker}</span>
                </button>
              )}
            </div>
          )}
        </article>
      ))}
      {question !== null && (
        <DecisionDialog
          title={question.admitted ? `Admit this work of ${question.work.worker}?` : "Keep this work out?"}
          action={question.admitted ? "Admit" : "Do not admit"}
          onDecide={(reason) => settle(question.work, question.admitted, reason)}
          onClose={() => ask(null)}
        >
          <p className="small">
            {question.admitted
              ? "It counts as any other work then, and brings its bonus."
              : "It is in no dataset then, and brings no bonus."}
          </p>
        </DecisionDialog>
      )}
    </>
  );
}
