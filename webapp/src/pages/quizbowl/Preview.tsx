/** What an author sees before accepting the HIT: the rules, and a sample with every control switched off. */

import { QuestionForm } from "../../kinds/quizbowl/Composer";
import { EvidencePairs } from "../../kinds/quizbowl/EvidencePairs";
import { GuessSection } from "../../kinds/quizbowl/GuessPanel";
import { ReadBack } from "../../kinds/quizbowl/ReadBack";
import type { Shown } from "../../kinds/quizbowl/guesses";
import { writingGuide } from "../../kinds/quizbowl/guide";
import { type Brief, type Question, readTerms } from "../../kinds/quizbowl/terms";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import type { PreviewProps } from "../page";
import { say } from "../../words/say";

const BRIEF: Brief = {
  category: "Geography",
  answers: 1,
  min_words: 60,
  max_words: 200,
  max_chars: 2400,
  min_sentences: 3,
  late_share: 0.75,
  late_position: "first_right",
};
const ENTRY: Question = {
  answer: "Antarctica",
  text:
    "Some valleys of this place have seen no rain for longer than there have been people to write about it. An American " +
    "who had flown over it named his huts there after his home country, with one word before it. For 10 points, name " +
    "this southernmost continent.",
};
const EVIDENCE = "In the dry valleys of this southernmost continent it has not rained for two million years.";
const SHOWN: Shown = {
  words: 48,
  guesses: [
    { name: "Antarctica", confidence: 0.58, right: true },
    { name: "Atacama Desert", confidence: 0.21, right: false },
    { name: "Greenland", confidence: 0.09, right: false },
    { name: "Arctic Ocean", confidence: 0.05, right: false },
    { name: "Iceland", confidence: 0.03, right: false },
  ],
  rank: 1,
  first_right: 47,
  right_from: 47,
  evidence: [
    {
      sentence: { start: 0, end: 103 },
      name: "Antarctica",
      text: EVIDENCE,
      source: "wikipedia",
      matches: marksOf(ENTRY.text, ["valleys", "rain"]),
      highlights: marksOf(EVIDENCE, ["valleys", "rained"]),
    },
  ],
  saliency: weights(ENTRY.text, { valleys: 0.5, rain: 0.3, southernmost: 1, "continent.": 0.8 }),
};

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <PreviewPage
      terms={terms}
      promise={say("quizbowl.promise")}
      workFirst
      guide={writingGuide({ terms, brief: null, isChecked: null })}
      reading={
        <GuessSection shown={SHOWN} stale={false} waiting={false} late={BRIEF} problem={null} />
      }
    >
      <QuestionForm desk={null} brief={BRIEF} entry={ENTRY} problem={null} frozen onEdit={nothing} onSubmit={nothing}>
        <DisabledSubmit label={say("quizbowl.submit")} />
      </QuestionForm>
      <div className="card read-back-card">
        <ReadBack text={ENTRY.text} shown={SHOWN} onWord={null} />
        <EvidencePairs text={ENTRY.text} shown={SHOWN} />
      </div>
    </PreviewPage>
  );
}

function marksOf(text: string, words: readonly string[]) {
  return words.map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }));
}

function weights(text: string, weight: Readonly<Record<string, number>>): number[] {
  return text.split(" ").map((word) => weight[word] ?? 0);
}
