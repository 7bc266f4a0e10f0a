/** What the work is, what it pays, and what good and bad answers look like. The examples are this project's own. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import { type Example, ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";

export const AIM = "Answer questions that other people wrote: mark the answer in the passage.";

export function validationGuide(terms: Terms): Guide {
  return {
    name: "validation",
    chapters: [
      { title: "The work", body: <Work /> },
      payChapter(terms, "answers", "answered"),
      { title: "Good to know", body: <GoodToKnow /> },
      { title: "Good answers and bad ones", body: <ExamplePairs passage={PASSAGE} pairs={PAIRS} /> },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <strong>{AIM}</strong>
      </p>
      <ol className="steps">
        <li>
          <strong>Read the passage and the question.</strong> Go by the passage alone, not by what you know.
        </li>
        <li>
          <strong>Mark the answer</strong>: the shortest words that answer it. Drag across them, tap the first and the
          last one, or type them.
        </li>
        <li>
          <strong>No answer there?</strong> Tick “It cannot be answered from the passage”.
        </li>
      </ol>
    </>
  );
}

function GoodToKnow() {
  return (
    <ul className="reasons">
      <li>Each answer is kept as soon as you save it. You can go back and change it until you submit the HIT.</li>
      <li>Questions may be tricky, or badly written: answer what can be answered.</li>
      <li>For a few questions we know the answer. If you work with care, they are nothing to worry about.</li>
    </ul>
  );
}

const PASSAGE =
  "Ilse Barrow opened the ferry across the Lenne in 1931. Her nephew Conrad steered it until the bridge was built, and " +
  "then sold the boat to a school.";

const PAIRS: readonly { good: Example; bad: Example }[] = [
  {
    good: {
      text: "Who owned the boat after Conrad?",
      detail: "Answer: “a school”",
      why: "The shortest words that answer the question, as they stand in the passage.",
    },
    bad: {
      text: "Who owned the boat after Conrad?",
      detail: "Answer: “then sold the boat to a school”",
      why: "Right, but much longer than need be.",
    },
  },
  {
    good: {
      text: "How much did the bridge cost?",
      detail: "Answer: “It cannot be answered from the passage”",
      why: "The passage does not say it, and guessing helps nobody.",
    },
    bad: {
      text: "Whose relative gave up the ferry for a bridge?",
      detail: "Answer: “It cannot be answered from the passage”",
      why: "It can: the nephew is Ilse Barrow’s. Some questions take a second look.",
    },
  },
];
