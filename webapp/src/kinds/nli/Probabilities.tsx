/** How probable the AI found each label: as bars with numbers, and in a sentence for those who listen. */

import { percent } from "../../work/money";
import { LabelName } from "./LabelName";
import { LABELS, type Label } from "./labels";
import type { StatementAttempt } from "./terms";
import { say } from "../../words/say";
import "./probabilities.css";

interface Props {
  prediction: StatementAttempt["prediction"];
  target: Label;
}

export function Probabilities({ prediction: { label: found, probabilities }, target }: Props) {
  return (
    <ul className="probabilities" aria-label={say("nli.probabilities")}>
      {LABELS.map(({ label }) => (
        <li key={label} data-found={label === found}>
          <span className="probability-name">
            <LabelName label={label} short />
            {label === target && <span className="tag">{say("nli.probabilities.target")}</span>}
            {label === found && <span className="tag">{say("nli.probabilities.choice")}</span>}
          </span>
          <span className="probability">{percent(probabilities[label])}</span>
          <svg className="probability-bar along-text" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className="probability-track" width="100" height="8" />
            <rect className="probability-share" width={Math.max(probabilities[label] * 100, 0.75)} height="8" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

/** "The AI says: definitely correct 12%, neither 80%, definitely incorrect 8%." */
export function spoken({ probabilities }: StatementAttempt["prediction"]): string {
  const { entailment, neutral, contradiction } = probabilities;
  return say("nli.spoken", {
    entailment: percent(entailment),
    neutral: percent(neutral),
    contradiction: percent(contradiction),
  });
}
