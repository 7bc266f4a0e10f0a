/** A text, and statements about it with their labels and the reasons. */

import { LabelName } from "./LabelName";
import type { Label } from "./labels";
import { say } from "../../words/say";
import "./labelledStatements.css";

export interface LabelledStatement {
  hypothesis: string;
  /** Null for one that should have none. */
  label: Label | null;
  why: string;
}

interface Props {
  text: string;
  statements: readonly LabelledStatement[];
}

export function LabelledStatements({ text, statements }: Props) {
  return (
    <>
      <p className="snippet" dir="auto">
        {text}
      </p>
      <ul className="labelled">
        {statements.map(({ hypothesis, label, why }) => (
          <li key={hypothesis}>
            <p className="labelled-statement" dir="auto">
              {hypothesis}
            </p>
            <p className="labelled-label">{label === null ? say("nli.bad_example") : <LabelName label={label} />}</p>
            <p className="labelled-why" dir="auto">
              {why}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
