/** What the work is, what it pays, and what good and bad questions look like. The examples are this project's own. */

import { ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { amount, percent } from "../../work/money";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";
import { Records } from "../../writing/Records";
import { Goal, Pay, checked } from "../../writing/guide";
import type { QuestionTerms } from "./terms";

/** `isChecked`: whether other people check the questions on this passage; null before there is one. */
export function writingGuide(terms: QuestionTerms, isChecked: boolean | null): Guide {
  const pay = { terms, isChecked, offer: wanted(terms), context: "passage", work: "question" };
  return {
    name: "reading_comprehension",
    chapters: [
      { title: say("reading.guide.work"), body: <Work terms={terms} isChecked={isChecked} /> },
      {
        title: say("reading.guide.pay"),
        body: <Pay {...pay}>{say("reading.guide.tries", { tries: terms.max_tries })}</Pay>,
      },
      { title: say("reading.guide.rejected"), body: <Prose nodes={text("reading_rejected")} /> },
      { title: say("reading.guide.records"), body: <Records work="question" /> },
      { title: say("reading.guide.examples"), body: <ExamplePairs passage={say("reading.example.passage")} pairs={pairs()} /> },
    ],
  };
}

interface Props {
  terms: QuestionTerms;
  isChecked: boolean | null;
}

/** What stands above the work at every HIT. */
export function QuestionGoal({ terms, isChecked }: Props) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={wanted(terms)} context="passage">
      {say("reading.aim")}
    </Goal>
  );
}

function wanted({ wins_wanted: wins, max_wins: most, reward_cents }: QuestionTerms): string {
  return say("reading.wanted", { wins, most, pay: amount(reward_cents) });
}

function Work({ terms, isChecked }: Props) {
  return (
    <>
      <p>
        <strong>{say("reading.aim")}</strong>
      </p>
      <ol className="steps">
        <li>
          <Say of="reading.step.write" />
        </li>
        <li>
          <Say of="reading.step.mark" />
        </li>
        <li>
          <Say
            of="reading.step.model"
            args={{ share: percent(terms.f1_threshold), checked: checked(terms, isChecked) }}
          />
        </li>
      </ol>
    </>
  );
}

function pairs() {
  return ([1, 2, 3] as const).map((number) => ({ good: example(`${number}.good`), bad: example(`${number}.bad`) }));
}

function example(name: `${1 | 2 | 3}.${"good" | "bad"}`) {
  return {
    text: say(`reading.example.${name}`),
    detail: say(`reading.example.${name}.detail`),
    why: say(`reading.example.${name}.why`),
  };
}
