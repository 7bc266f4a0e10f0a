/** Workers' letters: messages, and appeals that a lead decides. Those with the earliest deadline come first. */

import { useEffect, useState } from "react";

import { get } from "./api";
import { DecisionDialog } from "./DecisionDialog";
import type { Desk } from "./desk";
import type { Inbox as Letters, Letter } from "./records";
import { address } from "./route";
import { moment } from "./words";
import "./inbox.css";

interface Props {
  desk: Desk;
  onAnswered: () => Promise<void>;
}

type Upheld = boolean | null;

export function Inbox({ desk, onAnswered }: Props) {
  const { run, send } = desk;
  const [letters, setLetters] = useState<Letters | null>(null);
  const [question, ask] = useState<{ letter: Letter; upheld: Upheld } | null>(null);
  useEffect(() => void run(async () => setLetters(await get<Letters>("api/letters"))), [run]);

  const answer = async ({ id }: Letter, upheld: Upheld, text: string) => {
    setLetters(await send<Letters>("api/answers", { letter: id, text, upheld }));
    await onAnswered();
  };
  if (letters === null) {
    return <p role="status">One moment …</p>;
  }
  return (
    <>
      <h2>Messages and appeals</h2>
      <p className="muted">
        The worker reads your answer on a page of their own, and in a message where the crowd takes it. An upheld appeal
        takes the decision back.
      </p>
      {letters.waiting.length === 0 && <p className="card">Nobody waits for an answer.</p>}
      {letters.waiting.map((letter) => (
        <LetterCard key={letter.id} letter={letter} onAsk={(upheld) => ask({ letter, upheld })} />
      ))}
      {letters.answered.length > 0 && <h2>Answered</h2>}
      {letters.answered.map((letter) => (
        <LetterCard key={letter.id} letter={letter} />
      ))}
      {question !== null && (
        <DecisionDialog
          title={titleOf(question.letter, question.upheld)}
          action="Send"
          label="Answer to the worker"
          maxLength={2000}
          onDecide={(text) => answer(question.letter, question.upheld, text)}
          onClose={() => ask(null)}
        >
          {question.upheld === true && (
            <p className="small">
              {question.letter.kind === "rejection"
                ? "All rejections of the HIT are taken back, and it cannot be rejected again."
                : "The standing from before counts again, and so does the work."}
            </p>
          )}
        </DecisionDialog>
      )}
    </>
  );
}

const KINDS = { message: "Message", rejection: "Appeal about a HIT", standing: "Appeal of a refusal or revocation" };

function titleOf({ kind, worker }: Letter, upheld: Upheld): string {
  if (kind === "message") {
    return `Answer ${worker}`;
  }
  return upheld ? `Uphold the appeal of ${worker}?` : `Do not uphold the appeal of ${worker}?`;
}

function LetterCard({ letter, onAsk }: { letter: Letter; onAsk?: (upheld: Upheld) => void }) {
  const { kind, worker, assignment, text, at, due_at, overdue, decided_by, not_yours, answer } = letter;
  return (
    <article className="card letter" aria-label={`${KINDS[kind]} of ${worker}`}>
      <h3>
        {KINDS[kind]} of <a href={address("workers", worker, assignment ?? undefined)}>{worker}</a>
      </h3>
      <p className="muted small">
        Written {moment(at)}
        {onAsk && (
          <>
            {" "}
            · <strong data-overdue={overdue}>{overdue ? "was to be answered" : "answer"} until {moment(due_at)}</strong>
          </>
        )}
      </p>
      <p className="letter-text" dir="auto">
        {text}
      </p>
      {decided_by.map(({ by, reason }) => (
        <p key={by} className="small">
          Decided by {by}: <span dir="auto">{reason || "no reason was given"}</span>
        </p>
      ))}
      {answer !== null && (
        <div className="letter-answer">
          <p className="small">
            <strong>
              {answer.upheld === null ? "Answered" : answer.upheld ? "Upheld" : "Not upheld"} by {answer.by}
            </strong>
            , {moment(answer.at)}
            {!onAsk && !answer.told && " · the crowd took no message; the worker's own page shows it"}
          </p>
          <p className="letter-text" dir="auto">
            {answer.text}
          </p>
        </div>
      )}
      {onAsk && not_yours !== null && <p className="small">{not_yours}</p>}
      {onAsk && not_yours === null && (
        <div className="actions">
          {kind === "message" ? (
            <button type="button" className="primary" onClick={() => onAsk(null)}>
              Answer …<span className="visually-hidden"> the message of {worker}</span>
            </button>
          ) : (
            <>
              <button type="button" className="primary" onClick={() => onAsk(true)}>
                Uphold …<span className="visually-hidden"> the appeal of {worker}</span>
              </button>
              <button type="button" onClick={() => onAsk(false)}>
                Do not uphold …<span className="visually-hidden"> the appeal of {worker}</span>
              </button>
            </>
          )}
        </div>
      )}
    </article>
  );
}
