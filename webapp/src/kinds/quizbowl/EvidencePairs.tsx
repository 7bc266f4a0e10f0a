/** Why the best guess is it: each sentence of the question beside the text that it resembles, with what both share. */

import { useId } from "react";

import type { Evidence, Shown } from "./guesses";
import { type Mark, parts } from "./marks";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { type Plain, say } from "../../words/say";
import "./evidencePairs.css";

const SOURCES: Readonly<Record<string, Plain>> = {
  quizbowl: "quizbowl.evidence.quizbowl",
  wikipedia: "quizbowl.evidence.wikipedia",
};

interface Props {
  text: string;
  shown: Shown;
}

export function EvidencePairs({ text, shown: { evidence, guesses } }: Props) {
  const id = useId();
  if (evidence.length === 0) {
    return null;
  }
  return (
    <section className="evidence-pairs" aria-labelledby={id} data-testid="evidence">
      <h3 id={id}>
        <Say of="quizbowl.evidence" args={{ name: <span {...ofData()}>{guesses[0]?.name}</span> }} />
      </h3>
      <ul>
        {evidence.map((each, index) => (
          <Pair key={index} text={text} evidence={each} />
        ))}
      </ul>
    </section>
  );
}

function Pair({ text, evidence }: { text: string; evidence: Evidence }) {
  return (
    <li>
      <div>
        <p className="evidence-source">{say("quizbowl.evidence.yours")}</p>
        <p {...ofData()}>
          <Marked text={text} marks={evidence.matches} within={evidence.sentence} />
        </p>
      </div>
      <div>
        <p className="evidence-source">{sourceWords(evidence.source)}</p>
        <p {...ofData()}>
          <Marked text={evidence.text} marks={evidence.highlights} />
        </p>
      </div>
    </li>
  );
}

function sourceWords(source: string): string {
  const known = SOURCES[source];
  return known === undefined ? source : say(known);
}

function Marked({ text, marks, within }: { text: string; marks: readonly Mark[]; within?: Mark }) {
  return parts(text, marks, within).map((part, index) =>
    part.marked ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  );
}
