/** What the work is, what it pays, and what good and bad answers look like. The examples are this project's own. */

import { Icon } from "../../icons/Icon";
import { dollars } from "../reading_comprehension/money";
import type { Terms } from "./hit";

export function Goal({ terms }: { terms: Terms }) {
  return (
    <p className="goal">
      Answer questions that other people wrote: mark the answer in the passage.{" "}
      <span className="goal-terms">You get {dollars(terms.reward_cents)} for the HIT.</span>
    </p>
  );
}

interface Example {
  question: string;
  answer: string;
  why: string;
}

const SNIPPET =
  "Ilse Barrow opened the ferry across the Lenne in 1931. Her nephew Conrad steered it until the bridge was built, and " +
  "then sold the boat to a school.";

const PAIRS: readonly { good: Example; bad: Example }[] = [
  {
    good: {
      question: "Who owned the boat after Conrad?",
      answer: "a school",
      why: "The shortest words that answer the question, as they stand in the passage.",
    },
    bad: {
      question: "Who owned the boat after Conrad?",
      answer: "then sold the boat to a school",
      why: "Right, but much longer than need be.",
    },
  },
  {
    good: {
      question: "How much did the bridge cost?",
      answer: "It cannot be answered from the passage",
      why: "The passage does not say it, and guessing helps nobody.",
    },
    bad: {
      question: "Whose relative gave up the ferry for a bridge?",
      answer: "It cannot be answered from the passage",
      why: "It can: the nephew is Ilse Barrow’s. Some questions take a second look.",
    },
  },
];

export function Rules({ terms }: { terms: Terms }) {
  return (
    <>
      <div className="rules">
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
        <div>
          <h3>Good to know</h3>
          <ul className="reasons">
            <li>Each answer is kept as soon as you save it. You can go back and change it until you submit the HIT.</li>
            <li>Questions may be tricky, or badly written: answer what can be answered.</li>
            <li>For a few questions we know the answer. Whoever works with care has nothing to fear from them.</li>
          </ul>
          <h3>Pay</h3>
          <p>
            You get {dollars(terms.reward_cents)} for the HIT, whether your answers are the same as other people’s or
            not. A HIT in which nothing was answered waits for a person before it is paid.
          </p>
        </div>
      </div>
      <p className="snippet">
        <strong>Example passage.</strong> {SNIPPET}
      </p>
      <ul className="pairs">
        {PAIRS.map(({ good, bad }) => (
          <li key={good.question}>
            <ExampleCard example={good} good />
            <ExampleCard example={bad} good={false} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ExampleCard({ example, good }: { example: Example; good: boolean }) {
  return (
    <div className="example" data-good={good}>
      <p className="example-kind">
        <Icon name={good ? "good" : "bad"} />
        {good ? "Good" : "Not like this"}
      </p>
      <p className="example-question">{example.question}</p>
      <p className="example-answer">
        Answer: <q>{example.answer}</q>
      </p>
      <p className="example-why">{example.why}</p>
    </div>
  );
}
