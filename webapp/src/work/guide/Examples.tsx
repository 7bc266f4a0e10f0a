/** Good and bad examples, each with the reason why. */

import { Icon } from "../../design/icons/Icon";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import "./examples.css";

/** `detail` is what belongs to it beside its text: "Answer: 1954". */
export interface Example {
  text: string;
  detail?: string;
  why: string;
}

export function ExampleCard({ example: { text, detail, why }, good }: { example: Example; good: boolean }) {
  return (
    <div className="example" data-good={good}>
      <p className="example-kind">
        <Icon name={good ? "good" : "bad"} />
        {say(good ? "work.example.good" : "work.example.bad")}
      </p>
      <p className="example-text">{text}</p>
      {detail !== undefined && <p>{detail}</p>}
      <p className="example-why">{why}</p>
    </div>
  );
}

export function ExamplePassage({ text }: { text: string }) {
  return (
    <p className="snippet">
      <Say of="work.example" args={{ text }} />
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
          <li key={good.text + bad.text}>
            <ExampleCard example={good} good />
            <ExampleCard example={bad} good={false} />
          </li>
        ))}
      </ul>
    </>
  );
}
