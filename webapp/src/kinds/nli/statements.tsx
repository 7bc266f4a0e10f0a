/** Writing statements about a text that have the target label, and that the AI mislabels. */

import { percent } from "../../work/money";
import { TryStats } from "../../writing/WritingStats";
import type { Context } from "../../writing/records";
import type { WritingKind } from "../../writing/kind";
import { closingOf } from "../../writing/standing";
import { Composer } from "./Composer";
import { PlainText } from "./PlainText";
import { Probabilities, spoken } from "./Probabilities";
import { comesNext } from "./comesNext";
import { StatementGoal, writingGuide } from "./guide";
import { type Label, wordsOf } from "./labels";
import {
  NO_STATEMENT,
  type StatementAttempt,
  type StatementEntry,
  type StatementTerms,
  findProblem,
  isStatementEntry,
} from "./terms";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import "./statement.css";

export function statements(
  terms: StatementTerms,
  context: Context,
  target: Label,
): WritingKind<StatementEntry, StatementAttempt> {
  return {
    words: { work: "statement", context: "text" },
    guide: (isChecked) => writingGuide({ terms, isChecked }),
    shortcuts: [],
    explained: [
      {
        name: "label_reason",
        question: say("nli.explain.label", { label: target }),
        placeholder: say("nli.explain.label.placeholder"),
      },
      {
        name: "model_reason",
        question: say("nli.explain.model"),
        placeholder: say("nli.explain.model.placeholder"),
      },
    ],
    empty: NO_STATEMENT,
    isEntry: isStatementEntry,
    workOf: ({ hypothesis }) => ({ hypothesis: hypothesis.trim() }),
    entryOf: ({ hypothesis }) => ({ hypothesis }),
    suggested: ({ hypothesis = "" }) => ({ text: hypothesis, answer: null, entry: { hypothesis } }),
    textOf: ({ hypothesis }) => hypothesis,
    findProblem: (entry) => findProblem(entry, terms),
    goal: (isChecked) => <StatementGoal terms={terms} isChecked={isChecked} target={target} />,
    stats: (hit) => <TryStats hit={hit} terms={terms} />,
    reading: () => <PlainText {...context} />,
    composer: ({ button, done, shown, ...editing }) => (
      <>
        {/* The heading of the verdict has the focus then; this tells the rest. */}
        <p role="status" className="visually-hidden" data-testid="spoken">
          {shown && spoken(shown.prediction)}
        </p>
        {!done && (
          <Composer {...editing} target={target} maxChars={terms.max_hypothesis_chars}>
            {button}
          </Composer>
        )}
      </>
    ),
    evidence: ({ work, prediction, fooled }) => (
      <>
        {fooled && (
          <blockquote className="statement" {...ofData()}>
            {work.hypothesis}
          </blockquote>
        )}
        <Probabilities prediction={prediction} target={target} />
      </>
    ),
    summary: ({ prediction: { label, probabilities } }) =>
      say("nli.summary", { label: wordsOf(label).short, share: percent(probabilities[label]) }),
    comesNext,
    closing: (hit, begun) => closingOf(hit, terms, begun, "statement"),
  };
}
