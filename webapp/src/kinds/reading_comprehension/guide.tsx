/** What the work is, what it pays, and what good and bad questions look like. The examples are this project's own. */

import { type Example, ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { dollars, percent } from "../../work/money";
import { Records } from "../../writing/Records";
import { Goal, Pay, checkers } from "../../writing/guide";
import type { QuestionTerms } from "./terms";

/** `isChecked`: whether other people check the questions on this passage; null before there is one. */
export function writingGuide(terms: QuestionTerms, isChecked: boolean | null): Guide {
  return {
    name: "reading_comprehension",
    chapters: [
      { title: "The work", body: <Work terms={terms} isChecked={isChecked} /> },
      {
        title: "Your pay",
        body: (
          <Pay terms={terms} isChecked={isChecked} offer={wanted(terms)} works={WORKS} done="asked">
            You have {terms.max_tries} tries. Errors of ours never use one up.
          </Pay>
        ),
      },
      { title: "What is rejected", body: <Rejections /> },
      { title: "What this page records", body: <Records work="question" /> },
      { title: "Good questions and bad ones", body: <ExamplePairs passage={PASSAGE} pairs={PAIRS} /> },
    ],
  };
}

interface Props {
  terms: QuestionTerms;
  isChecked: boolean | null;
}

const AIM = "Ask questions that people can answer from the passage, but the AI gets wrong.";
const WORKS = "questions on this passage";

/** What stands above the work at every HIT. */
export function QuestionGoal({ terms, isChecked }: Props) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={wanted(terms)} works={WORKS}>
      {AIM}
    </Goal>
  );
}

function wanted({ wins_wanted, max_wins, reward_cents }: QuestionTerms): string {
  const wins = wins_wanted === 1 ? "One win is" : `${wins_wanted} wins are`;
  return `${wins} wanted, up to ${max_wins} count. You get ${dollars(reward_cents)} for the HIT.`;
}

function Work({ terms, isChecked }: Props) {
  return (
    <>
      <p>
        <strong>{AIM}</strong>
      </p>
      <ol className="steps">
        <li>
          <strong>Write a question</strong> about the passage, in your own words. It must have exactly one answer there.
        </li>
        <li>
          <strong>Mark the answer</strong>: the shortest words that answer it. Drag across them, tap the first and the
          last one, or type them.
        </li>
        <li>
          <strong>The AI answers too.</strong> If its words overlap yours by more than {percent(terms.f1_threshold)}, it
          was right. Otherwise you have a win{checking(terms, isChecked)}.
        </li>
      </ol>
    </>
  );
}

function checking(terms: QuestionTerms, isChecked: boolean | null): string {
  const people = checkers(terms, isChecked, "passages");
  return people && `, and ${people} check that it is a fair one`;
}

function Rejections() {
  return (
    <ul className="reasons">
      <li>Questions that cannot be answered from the passage alone, or that have several answers in it.</li>
      <li>Answers that are wrong, or much longer than needed, in order to miss the AI’s answer.</li>
      <li>Opinions, riddles about spelling or counting letters, and questions about the text’s layout.</li>
      <li>Text that is not a question in understandable English, or the same question again in other words.</li>
    </ul>
  );
}

const PASSAGE =
  "Mira opened the bakery in 1954 with her brother Tomas, who left for Lisbon two years later. " +
  "She kept his name above the door until she retired.";

const PAIRS: readonly { good: Example; bad: Example }[] = [
  {
    good: {
      text: "How long after the opening did the co-founder move abroad?",
      detail: "Answer: “two years”",
      why: "One has to find out who the co-founder is, and that Lisbon is abroad. There is exactly one answer.",
    },
    bad: {
      text: "When did Mira open the bakery?",
      detail: "Answer: “1954”",
      why: "Copies the passage’s own words. The AI finds this at once: a try without a win, though not a reason to reject.",
    },
  },
  {
    good: {
      text: "Whose name did customers read when they came in?",
      detail: "Answer: “Tomas”",
      why: "“His name” has to be followed back to its owner, which is easy for people.",
    },
    bad: {
      text: "Was she fond of her brother?",
      detail: "Answer: “kept his name above the door”",
      why: "A matter of opinion: other people will not find this answer. Rejected.",
    },
  },
  {
    good: {
      text: "In which city did Mira’s brother arrive in 1956?",
      detail: "Answer: “Lisbon”",
      why: "The year has to be worked out: 1954 and two more. People manage that; many models do not.",
    },
    bad: {
      text: "city brother go ???",
      detail: "Answer: “Tomas, who left for Lisbon two years later”",
      why: "Not a sentence, and the answer is much longer than it need be. Rejected.",
    },
  },
];
