/** How a work came to be: each draft that the model saw, and what it said of it, one after the other. */

import { useId, useState } from "react";

import { get, messageOf } from "./api";
import type { Edit, Edits } from "./records";
import { FieldsList } from "./FieldsList";
import { Problem } from "../src/design/problem/Problem";
import { count, duration, percent, spelled } from "./words";
import "./replay.css";

interface Props {
  assignment: string;
  edits: number;
  begun: string;
  /** Where its drafts are asked for. */
  path?: string;
}

export function Replay({ assignment, edits, begun, path = "api/edits" }: Props) {
  const [steps, setSteps] = useState<readonly Edit[] | null>(null);
  const [problem, setProblem] = useState("");
  const load = async () => {
    try {
      setProblem("");
      setSteps(await everyEdit(assignment, path));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <section className="card replay" aria-label="How it was written">
      {steps === null ? (
        <button type="button" onClick={load}>
          Replay how it was written ({count(edits, "draft")})
        </button>
      ) : (
        <Steps steps={steps} begun={begun} />
      )}
      <Problem message={problem} />
    </section>
  );
}

function Steps({ steps, begun }: { steps: readonly Edit[]; begun: string }) {
  const [at, setAt] = useState(0);
  const id = useId();
  const step = steps[at];
  if (step === undefined) {
    return <p>There is no draft.</p>;
  }
  return (
    <>
      <div className="replay-place">
        <label htmlFor={id}>
          Draft {at + 1} of {steps.length}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={steps.length - 1}
          value={at}
          aria-valuetext={`Draft ${at + 1} of ${steps.length}`}
          onChange={(event) => setAt(event.target.valueAsNumber)}
        />
      </div>
      <p className="muted small">
        {duration(begun, step.at)} after the HIT was accepted · attempt {step.attempt} · {spelled(step.cause)}
      </p>
      <FieldsList fields={step.draft} />
      {step.prediction === null ? (
        <p className="muted">The model did not answer: the writer went on.</p>
      ) : (
        <Guesses prediction={step.prediction} />
      )}
    </>
  );
}

interface Guess {
  page: string;
  confidence: number;
}

function Guesses({ prediction }: { prediction: Readonly<Record<string, unknown>> }) {
  const { guesses, rank } = prediction as { guesses?: readonly Guess[]; rank?: number | null };
  if (guesses === undefined) {
    return <FieldsList fields={prediction} className="by-model" />;
  }
  return (
    <>
      <ol className="replay-guesses" aria-label="What the model guessed">
        {guesses.map(({ page, confidence }) => (
          <li key={page}>
            <span dir="auto">{page.replaceAll("_", " ")}</span> <span className="muted">{percent(confidence)}</span>
          </li>
        ))}
      </ol>
      <p className="muted small">The answer stands {rank == null ? "nowhere" : `in place ${rank}`}.</p>
    </>
  );
}

async function everyEdit(assignment: string, path: string): Promise<readonly Edit[]> {
  const all: Edit[] = [];
  for (let more = true; more; ) {
    const query = new URLSearchParams({ assignment, after: String(all.at(-1)?.ordinal ?? 0) });
    const reply = await get<Edits>(`${path}?${query}`);
    all.push(...reply.edits);
    more = reply.more && reply.edits.length > 0;
  }
  return all;
}
