/** What the work is, what it pays, and what good and bad questions look like. The examples are this project's own. */

import { type Example, ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { dollars } from "../../work/money";
import { Records } from "../../writing/Records";
import { Goal, Pay } from "../../writing/guide";
import type { Terms } from "../../writing/hit";
import { type Brief, categoryName, plural } from "./terms";

const WORKS = "questions of this category";

interface Props {
  terms: Terms;
  /** Null before there is a HIT. */
  brief: Brief | null;
  /** Whether other people check the questions; null before there is a HIT. */
  isChecked: boolean | null;
}

/** What stands above the work at every HIT. */
export function QuestionGoal({ terms, brief, isChecked }: Props & { brief: Brief }) {
  return (
    <Goal terms={terms} isChecked={isChecked} offer={offer(terms)} works={WORKS}>
      Choose an answer from {categoryName(brief.category)}. Write a question that people can answer by its end, but the AI{" "}
      {lateWords(brief)}.
    </Goal>
  );
}

export function writingGuide({ terms, brief, isChecked }: Props): Guide {
  return {
    name: "quizbowl",
    chapters: [
      { title: "The work", body: <Work brief={brief} /> },
      { title: "What you see of the AI", body: <Hints /> },
      {
        title: "Your pay",
        body: (
          <Pay terms={terms} isChecked={isChecked} offer={offer(terms)} works={WORKS} done="written">
            Looking at the guesses is no try, and errors of ours never use one up.
          </Pay>
        ),
      },
      { title: "What is rejected", body: <Rejections /> },
      {
        title: "What this page records",
        body: (
          <>
            <Records work="question" />
            <p>
              Every text that the AI is asked about while you write is kept, too, with its time and the AI’s guesses.
              You can replay it on this page, and it may be published without your name: it shows how people mislead
              machines.
            </p>
          </>
        ),
      },
      { title: "Good questions and bad ones", body: <ExamplePairs passage={ANSWER} pairs={PAIRS} /> },
    ],
  };
}

function offer({ max_wins, max_tries, reward_cents }: Terms): string {
  const wins = max_wins === 1 ? "one win ends the HIT" : `up to ${max_wins} wins count`;
  return `You get ${dollars(reward_cents)} for up to ${max_tries} tries; ${wins}.`;
}

function lateWords({ late_share }: Brief): string {
  return late_share < 1 ? `cannot, or only after ${Math.round(late_share * 100)}% of its words` : "cannot";
}

function Work({ brief }: { brief: Brief | null }) {
  return (
    <>
      <p>
        <strong>
          You write a Quizbowl question: a paragraph that a moderator reads aloud, and in which players may buzz at any
          word.
        </strong>{" "}
        People should get it in the end. The AI should not{brief && lateShareWords(brief)}.
      </p>
      <ol className="steps">
        <li>
          <strong>Choose an answer</strong> from the list: search by any of its names. You can change it later.
        </li>
        <li>
          <strong>Write the question:</strong>{" "}
          {brief
            ? `${brief.min_words} to ${brief.max_words} words in at least ${plural(brief.min_sentences, "sentence")}.`
            : "several sentences."}{" "}
          It goes from hard to easy, like a pyramid: first what only experts know, at the end a clue that gives it away
          (“For 10 points, name this …”).
        </li>
        <li>
          <strong>Watch the AI guess,</strong> and take away what it goes by: describe a person in place of the name, say
          a title in another language, put two facts together.
        </li>
        <li>
          <strong>Submit it</strong> when you are content. If the AI is right all the same, change the question and try
          again, or give up.
        </li>
      </ol>
    </>
  );
}

function lateShareWords({ late_share }: Brief): string {
  return late_share < 1 ? `, or only after ${Math.round(late_share * 100)}% of the words` : "";
}

function Hints() {
  return (
    <ul className="reasons">
      <li>Its five best guesses and how sure it is of each. It reads after every few words and when you pause.</li>
      <li>Where it would buzz: the word at which its best guess is first right, and the one from which it stays right.</li>
      <li>The words that speak most for its best guess. Change these first.</li>
      <li>For each sentence the text that it resembles, with the words that both share.</li>
      <li>All of it is about the text that the AI read last; where yours has changed since, it says so.</li>
    </ul>
  );
}

function Rejections() {
  return (
    <ul className="reasons">
      <li>Questions that experts could not answer at the end either, or that have two right answers.</li>
      <li>Clues that are wrong, or that tell nothing at all.</li>
      <li>Misspelt words, odd characters and broken grammar that only confuse machines.</li>
      <li>Questions copied from a tournament, a book or a page, and those that were written here before.</li>
      <li>The answer itself in the question.</li>
    </ul>
  );
}

const ANSWER = "The answer is the continent Antarctica.";

const PAIRS: readonly { good: Example; bad: Example }[] = [
  {
    good: {
      text: "Some valleys of this place have seen no rain for longer than there have been people to write about it.",
      detail: "First sentence",
      why: "True and fair, and few know it: a hard clue comes first.",
    },
    bad: {
      text: "This continent surrounds the South Pole and is home to many penguins.",
      detail: "First sentence",
      why: "It gives everything away at the first word. Whatever follows is read to nobody.",
    },
  },
  {
    good: {
      text: "An American who had flown over it named his huts there after his home country, with one word before it.",
      detail: "In the middle",
      why: "A player who knows of Little America gets it. The AI knows the names, and none of them is here.",
    },
    bad: {
      text: "Richard E. Byrd built Little America there.",
      detail: "In the middle",
      why: "These names stand in every other question about it: the AI buzzes at once.",
    },
  },
  {
    good: {
      text: "For 10 points, name this southernmost continent.",
      detail: "Last sentence",
      why: "Now everybody can say it. That is how a question ends.",
    },
    bad: {
      text: "name dis continnent, wich is vvery cold",
      detail: "Last sentence",
      why: "Mistakes may mislead a machine, but nobody wants to play this.",
    },
  },
];
