/** The label that a statement is to have, and what that means. */

import { LabelName } from "./LabelName";
import { type Label, wordsOf } from "./labels";
import { Say } from "../../words/Say";
import "./target.css";

export function Target({ target }: { target: Label }) {
  return (
    <div className="target" data-testid="target">
      <p>
        <Say of="nli.target" args={{ label: <LabelName label={target} /> }} />
      </p>
      <p className="target-help">{wordsOf(target).help}</p>
    </div>
  );
}
