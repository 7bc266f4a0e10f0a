/** What the work is, what it pays, and how statements are judged. The examples are this project's own. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import { LabelList } from "../../kinds/nli/LabelList";
import { type LabelledStatement, LabelledStatements } from "../../kinds/nli/LabelledStatements";
import type { Guide } from "../../work/guide/guide";

export const AIM = "Judge statements that other people wrote about short texts.";

export function verificationGuide(terms: Terms): Guide {
  return {
    name: "nli_validation",
    chapters: [
      { title: "The work", body: <Work /> },
      payChapter(terms, "judgements", "judged"),
      { title: "Good to know", body: <GoodToKnow /> },
      { title: "Examples", body: <LabelledStatements text={TEXT} statements={STATEMENTS} /> },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <strong>{AIM}</strong> Read the text and the statement, and choose:
      </p>
      <LabelList />
      <p>
        Judge by the text and by what everybody knows, and take the text for true. What cannot be judged at all is{" "}
        <strong>a bad example</strong>: say what is wrong with it.
      </p>
    </>
  );
}

function GoodToKnow() {
  return (
    <ul className="reasons">
      <li>Each judgement is kept as soon as you save it. You can go back and change it until you submit the HIT.</li>
      <li>Statements may be tricky on purpose. Likely is not definitely: what the text leaves open is “neither”.</li>
      <li>A small mistake of spelling is no reason to call a statement a bad example.</li>
      <li>For a few statements we know the judgement. If you work with care, they are nothing to worry about.</li>
    </ul>
  );
}

const TEXT =
  "Osip’s orchard gave forty baskets of pears in 1987, twice as many as the year before. He put half of them into the " +
  "cellar for the winter and sold the others at the station, where every train stopped for ten minutes in those days.";

const STATEMENTS: readonly LabelledStatement[] = [
  {
    hypothesis: "In 1986 the orchard gave twenty baskets of pears.",
    label: "entailment",
    why: "Forty baskets are twice as many as twenty.",
  },
  {
    hypothesis: "Travellers ate Osip’s pears on the train.",
    label: "neutral",
    why: "It is likely, but the text does not say who bought the pears, nor where they were eaten.",
  },
  {
    hypothesis: "All pears of 1987 were sold at the station.",
    label: "contradiction",
    why: "Half of them went into the cellar.",
  },
  {
    hypothesis: "How many pears does a basket hold?",
    label: null,
    why: "It is a question: it is neither true nor false.",
  },
];
