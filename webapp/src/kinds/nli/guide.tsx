/** What the work is, what it pays, and what good and bad statements look like. The examples are this project's own. */

import { type Example, ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { dollars } from "../../work/money";
import { Records } from "../../writing/Records";
import { Goal, Pay, checkers } from "../../writing/guide";
import { LabelList } from "./LabelList";
import { LabelName } from "./LabelName";
import type { Label } from "./labels";
import type { StatementTerms } from "./terms";

const WORKS = "statements on this text";

interface Props {
  terms: StatementTerms;
  /** Whether other people check the statements on this text; null before there is one. */
  isChecked: boolean | null;
}

/** What stands above the work at every HIT. */
export function StatementGoal({ terms, isChecked, target }: Props & { target: Label }) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={offer(terms)} works={WORKS}>
      Write a statement about the text that is <LabelName label={target} />, and that the AI misjudges.
    </Goal>
  );
}

export function writingGuide({ terms, isChecked }: Props): Guide {
  return {
    name: "nli",
    chapters: [
      { title: "The work", body: <Work terms={terms} isChecked={isChecked} /> },
      {
        title: "Your pay",
        body: (
          <Pay terms={terms} isChecked={isChecked} offer={offer(terms)} works={WORKS} done="written">
            Errors of ours never use up a try.
          </Pay>
        ),
      },
      { title: "What is rejected", body: <Rejections /> },
      { title: "What this page records", body: <Records work="statement" /> },
      { title: "Good statements and bad ones", body: <ExamplePairs passage={TEXT} pairs={PAIRS} /> },
    ],
  };
}

function offer({ max_wins, max_tries, reward_cents }: StatementTerms): string {
  const wins = max_wins === 1 ? "one win ends the HIT" : `up to ${max_wins} wins count`;
  return `You get ${dollars(reward_cents)} for up to ${max_tries} tries; ${wins}.`;
}

function Work({ terms, isChecked }: Props) {
  return (
    <>
      <p>
        <strong>You get a text and a target. Write a statement that hits the target, and that the AI misjudges.</strong>{" "}
        There are three targets:
      </p>
      <LabelList />
      <ol className="steps">
        <li>
          <strong>Write a statement</strong> about the text, in your own words. Judge by the text and by what everybody
          knows.
        </li>
        <li>
          <strong>The AI judges it too,</strong> without knowing your target, and you see how probable it finds each
          judgement. If another one than your target comes out on top, you have a win. Otherwise change your statement
          and try again.
        </li>
        <li>
          <strong>After a win, explain it:</strong> why your statement hits the target, and why the AI may have been
          fooled. {checking(terms, isChecked)}
        </li>
      </ol>
    </>
  );
}

function checking(terms: StatementTerms, isChecked: boolean | null): string {
  const people = checkers(terms, isChecked, "texts");
  return people && `${people[0]!.toUpperCase()}${people.slice(1)} then judge your statement without knowing the target.`;
}

function Rejections() {
  return (
    <ul className="reasons">
      <li>Statements that miss the target: other people, who do not know it, have to come to the same judgement.</li>
      <li>Statements that need knowledge which only experts have, or that can be read in two ways.</li>
      <li>Questions, orders and fragments, and text that is not understandable English.</li>
      <li>Sentences copied from the text, or the same trick with “not” again and again.</li>
      <li>Statements about the AI, or about the text’s layout and spelling.</li>
    </ul>
  );
}

const TEXT =
  "Nadia Orel ran the night bakery on Hook Street for eleven years. In 2009 she sold it to two of her bakers, on one " +
  "condition: that the window stays lit until morning. They have kept their word, though the rye bread is gone.";

const PAIRS: readonly { good: Example; bad: Example }[] = [
  {
    good: {
      text: "After Nadia Orel, the bakery belonged to more than one person.",
      detail: "Target: definitely correct",
      why: "Two of her bakers bought it. One has to put this together; the text does not say it in these words.",
    },
    bad: {
      text: "The bakery makes more money than before.",
      detail: "Target: definitely correct",
      why: "It may be so, but the text does not say it. People who check it will disagree with you.",
    },
  },
  {
    good: {
      text: "Both of the bakers had worked for Nadia Orel since 1998.",
      detail: "Target: neither",
      why: "They were her bakers, but since when is left open. It sounds likely, which misleads the AI.",
    },
    bad: {
      text: "Bakers make bread.",
      detail: "Target: neither",
      why: "Everybody knows that this is correct, whatever the text says. Nothing is left open.",
    },
  },
  {
    good: {
      text: "When she sold the bakery, Nadia Orel had run it for less than a decade.",
      detail: "Target: definitely incorrect",
      why: "Eleven years are more than a decade. People see that at once; many models do not.",
    },
    bad: {
      text: "nadia not sell bakery no rye",
      detail: "Target: definitely incorrect",
      why: "Not a sentence. Nobody can say what it means, so nobody can say that it is incorrect.",
    },
  },
];
