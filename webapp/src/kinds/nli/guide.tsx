/** What the work is, what it pays, and what good and bad statements look like. The examples are this project's own. */

import { ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { amount } from "../../work/money";
import { Records } from "../../writing/Records";
import { Goal, Pay, checked } from "../../writing/guide";
import { LabelList } from "./LabelList";
import { LabelName } from "./LabelName";
import type { Label } from "./labels";
import type { StatementTerms } from "./terms";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";

interface Props {
  terms: StatementTerms;
  /** Whether other people check the statements on this text; null before there is one. */
  isChecked: boolean | null;
}

/** What stands above the work at every HIT. */
export function StatementGoal({ terms, isChecked, target }: Props & { target: Label }) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={offer(terms)} context="text">
      <Say of="nli.aim" args={{ label: <LabelName label={target} /> }} />
    </Goal>
  );
}

export function writingGuide({ terms, isChecked }: Props): Guide {
  return {
    name: "nli",
    chapters: [
      { title: say("nli.guide.work"), body: <Work terms={terms} isChecked={isChecked} /> },
      {
        title: say("nli.guide.pay"),
        body: (
          <Pay terms={terms} isChecked={isChecked} offer={offer(terms)} context="text" work="statement">
            {say("nli.guide.tries")}
          </Pay>
        ),
      },
      { title: say("nli.guide.rejected"), body: <Prose nodes={text("nli_rejected")} /> },
      { title: say("nli.guide.records"), body: <Records work="statement" /> },
      { title: say("nli.guide.examples"), body: <ExamplePairs passage={say("nli.example.text")} pairs={pairs()} /> },
    ],
  };
}

function offer({ max_wins, max_tries, reward_cents }: StatementTerms): string {
  return say("nli.offer", { most: max_wins, tries: max_tries, pay: amount(reward_cents) });
}

function Work({ terms, isChecked }: Props) {
  return (
    <>
      <p>
        <Say of="nli.work" />
      </p>
      <LabelList />
      <ol className="steps">
        <li>
          <Say of="nli.step.write" />
        </li>
        <li>
          <Say of="nli.step.model" />
        </li>
        <li>
          <Say of="nli.step.explain" args={{ checked: checked(terms, isChecked) }} />
        </li>
      </ol>
    </>
  );
}

function pairs() {
  return ([1, 2, 3] as const).map((number) => ({ good: example(number, "good"), bad: example(number, "bad") }));
}

function example(number: 1 | 2 | 3, kind: "good" | "bad") {
  return {
    text: say(`nli.example.${number}.${kind}`),
    detail: say(`nli.example.${number}`),
    why: say(`nli.example.${number}.${kind}.why`),
  };
}
