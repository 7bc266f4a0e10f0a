/** One work as it was tried: what was written and answered, how it ended, how it came to be, what others say of it. */

import { Icon, type IconName } from "../src/design/icons/Icon";
import type { Attempt, Evidence, Suggestion, Telemetry } from "./records";
import { DoubtsNote } from "./DoubtsNote";
import { FieldsList } from "./FieldsList";
import { useWords } from "./kindWords";
import { spanOf } from "./MarkedPassage";
import { count, duration, evidenceWord, flagWord, percent } from "./words";
import "./attemptCard.css";

interface Props {
  attempt: Attempt;
  number: number;
  /** When the worker could begin with it: the HIT was accepted, or the attempt before was made. */
  since: string;
  shown: boolean;
  onShow: () => void;
}

export function AttemptCard({ attempt, number, since, shown, onShow }: Props) {
  const { name, icon, word } = outcome(attempt);
  const words = useWords();
  const isMarked = [attempt.work.answer, attempt.prediction].some((each) => spanOf(each) !== null);
  return (
    <li className="attempt card" data-outcome={name} data-shown={shown}>
      <div className="attempt-head">
        <h4>
          <Icon name={icon} />
          {number}. {word}
        </h4>
        {isMarked && (
          <button type="button" className="quiet" aria-pressed={shown} onClick={onShow}>
            {shown ? "Shown" : "Show"} in the {words.context}
            <span className="visually-hidden">
              {" "}
              ({words.work} {number})
            </span>
          </button>
        )}
      </div>
      <Work attempt={attempt} />
      <p className="muted small">
        {duration(since, attempt.created_at)} after {number === 1 ? "the HIT was accepted" : "the one before"} · model{" "}
        {attempt.model}
      </p>
      {attempt.retracted_at !== null && (
        <p className="note">
          <Icon name="back" />
          Taken back by the worker after {duration(attempt.created_at, attempt.retracted_at)}
        </p>
      )}
      {attempt.flag !== null && (
        <p className="note">
          <Icon name="flag" />
          <span dir="auto">
            The worker reported: {flagWord(attempt.flag.reason, words)}
            {attempt.flag.note && ` – ${attempt.flag.note}`}
          </span>
        </p>
      )}
      <DoubtsNote doubted={attempt} />
      <EvidenceList evidence={attempt.evidence} />
      <TelemetryLine telemetry={attempt.telemetry} />
      {attempt.suggestion !== null && <SuggestionLine {...attempt.suggestion} />}
      {attempt.votes.length > 0 && (
        <section className="votes">
          <h5>{count(attempt.votes.length, "validation vote")}</h5>
          {attempt.votes.map((vote, at) => (
            <FieldsList key={at} fields={vote} />
          ))}
        </section>
      )}
    </li>
  );
}

function Work({ attempt: { work, prediction, reading, scores } }: { attempt: Attempt }) {
  const writer = spanOf(work.answer);
  if (reading !== null || typeof work.question !== "string" || writer === null) {
    return (
      <>
        <FieldsList fields={reading?.work ?? work} />
        <FieldsList fields={reading?.prediction ?? prediction} className="by-model" />
      </>
    );
  }
  const { f1 } = scores;
  return (
    <>
      <p className="attempt-question" dir="auto">
        {work.question}
      </p>
      <dl className="answers">
        <div className="answers-writer">
          <dt>Writer</dt>
          <dd>
            <q dir="auto">{writer.text}</q>
          </dd>
        </div>
        <div className="answers-model">
          <dt>
            Model
            {typeof prediction.score === "number" && ` (${percent(prediction.score)} sure)`}
          </dt>
          <dd>{prediction.text ? <q dir="auto">{String(prediction.text)}</q> : "no answer"}</dd>
        </div>
        {typeof f1 === "number" && (
          <div>
            <dt>Overlap (F1)</dt>
            <dd>{percent(f1)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  const words = useWords();
  if (evidence.length === 0) {
    return null;
  }
  return (
    <ul className="evidence" aria-label="Signs to weigh">
      {evidence.map(({ kind, strength, detail }) => (
        <li key={kind + detail}>
          <Icon name="warning" />
          <span>
            <strong>
              {evidenceWord(kind, words)} ({percent(strength)})
            </strong>{" "}
            <span dir="auto">{detail}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function TelemetryLine({ telemetry }: { telemetry: Telemetry | null }) {
  if (telemetry === null) {
    return null;
  }
  const { keystrokes, pastes, pasted_chars, focused_seconds, first_key_seconds } = telemetry;
  return (
    <p className="muted small">
      {keystrokes} {keystrokes === 1 ? "key press" : "key presses"} ·{" "}
      {pastes > 0 ? `${count(pasted_chars, "character")} pasted` : "nothing pasted"} · {focused_seconds.toFixed(0)} s on
      the page
      {first_key_seconds !== null && ` · first key after ${first_key_seconds.toFixed(1)} s`}
    </p>
  );
}

function SuggestionLine({ model, edited, distance }: Suggestion) {
  const change = distance > 0 ? `${count(distance, "character")} changed` : "another answer";
  return (
    <p className="muted small" dir="auto">
      Made of a suggestion by {model}, {edited ? change : "unchanged"}
    </p>
  );
}

function outcome(attempt: Attempt): { name: string; icon: IconName; word: string } {
  if (attempt.retracted_at !== null) {
    return { name: "retracted", icon: "back", word: attempt.fooled ? "Beat the AI, taken back" : "Taken back" };
  }
  return attempt.fooled
    ? { name: "fooled", icon: "win", word: "Beat the AI" }
    : { name: "not-fooled", icon: "loss", word: "The AI was right" };
}
