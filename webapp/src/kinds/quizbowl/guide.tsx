/** What the work is, what it pays, and what good and bad questions look like. The examples are this project's own. */

import { ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { amount, percent } from "../../work/money";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";
import { Records } from "../../writing/Records";
import { Goal, Pay } from "../../writing/guide";
import { type Brief, type QuestionTerms, categoryName } from "./terms";

interface Props {
  terms: QuestionTerms;
  /** Null before there is a HIT. */
  brief: Brief | null;
  /** Whether other people check the questions; null before there is a HIT. */
  isChecked: boolean | null;
}

/** What stands above the work at every HIT. */
export function QuestionGoal({ terms, brief, isChecked }: Props & { brief: Brief }) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={offer(terms)} context="category">
      {say("quizbowl.aim", { category: categoryName(brief.category), ...lateOf(brief) })}
    </Goal>
  );
}

export function writingGuide({ terms, brief, isChecked }: Props): Guide {
  return {
    name: "quizbowl",
    chapters: [
      { title: say("quizbowl.guide.work"), body: <Work brief={brief} showsModel={terms.shows_model} /> },
      ...(terms.shows_model
        ? [{ title: say("quizbowl.guide.model"), body: <Prose nodes={text("quizbowl_hints")} /> }]
        : []),
      {
        title: say("quizbowl.guide.pay"),
        body: (
          <Pay terms={terms} isChecked={isChecked} offer={offer(terms)} context="category" work="quizbowl">
            {say("quizbowl.guide.tries")}
          </Pay>
        ),
      },
      { title: say("quizbowl.guide.rejected"), body: <Prose nodes={text("quizbowl_rejected")} /> },
      {
        title: say("quizbowl.guide.records"),
        body: (
          <>
            <Records work="question" />
            {terms.shows_model && <p>{say("quizbowl.guide.edits")}</p>}
          </>
        ),
      },
      {
        title: say("quizbowl.guide.examples"),
        body: <ExamplePairs passage={say("quizbowl.example.answer")} pairs={pairs()} />,
      },
    ],
  };
}

function offer({ max_wins, max_tries, reward_cents }: QuestionTerms): string {
  return say("quizbowl.offer", { most: max_wins, tries: max_tries, pay: amount(reward_cents) });
}

/** For messages: whether the AI may be right late, and after which share of the words. */
function lateOf(brief: Brief | null) {
  const share = brief?.late_share ?? 1;
  return { late: share < 1 ? "yes" : "no", share: percent(share) };
}

function Work({ brief, showsModel }: { brief: Brief | null; showsModel: boolean }) {
  return (
    <>
      <p>
        <Say of="quizbowl.work" args={lateOf(brief)} />
      </p>
      <ol className="steps">
        <li>
          <Say of="quizbowl.step.choose" />
        </li>
        <li>{brief === null ? <Say of="quizbowl.step.write" /> : <Limits brief={brief} />}</li>
        {showsModel && (
          <li>
            <Say of="quizbowl.step.watch" />
          </li>
        )}
        <li>
          <Say of="quizbowl.step.submit" />
        </li>
      </ol>
    </>
  );
}

function Limits({ brief: { min_words: least, max_words: most, min_sentences: sentences } }: { brief: Brief }) {
  return <Say of="quizbowl.step.write_limits" args={{ least, most, sentences }} />;
}

function pairs() {
  return ([1, 2, 3] as const).map((number) => ({ good: example(number, "good"), bad: example(number, "bad") }));
}

function example(number: 1 | 2 | 3, kind: "good" | "bad") {
  return {
    text: say(`quizbowl.example.${number}.${kind}`),
    detail: say(`quizbowl.example.${number}`),
    why: say(`quizbowl.example.${number}.${kind}.why`),
  };
}
