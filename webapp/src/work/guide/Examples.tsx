/** Good and bad examples, each with the reason why. */

import { Icon } from "../../icons/Icon";
import "./examples.css";

export interface Example {
  question: string;
  answer?: string;
  why: string;
}

export function ExampleCard({ example: { question, answer, why }, good }: { example: Example; good: boolean }) {
  return (
    <div className="example" data-good={good}>
      <p className="example-kind">
        <Icon name={good ? "good" : "bad"} />
        {good ? "Good" : "Not like this"}
      </p>
      <p className="example-question">{question}</p>
      {answer !== undefined && (
        <p>
          Answer: <q>{answer}</q>
        </p>
      )}
      <p className="example-why">{why}</p>
    </div>
  );
}

export function ExamplePassage({ text }: { text: string }) {
  return (
    <p className="snippet">
      <strong>Example passage.</strong> {text}
    </p>
  );
}

interface PairsProps {
  passage: string;
  pairs: readonly { good: Example; bad: Example }[];
}

export function ExamplePairs({ passage, pairs }: PairsProps) {
  return (
    <>
      <ExamplePassage text={passage} />
      <ul className="pairs">
        {pairs.map(({ good, bad }) => (
          <li key={good.question}>
            <ExampleCard example={good} good />
            <ExampleCard example={bad} good={false} />
          </li>
        ))}
      </ul>
    </>
  );
}
