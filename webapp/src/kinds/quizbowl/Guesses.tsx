/** The AI's best guesses: as bars with numbers; the right one has a word and a sign, and not only a colour. */

import { Icon } from "../../design/icons/Icon";
import { percent } from "../../work/money";
import type { Guess } from "./guesses";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import "./guesses.css";

export function Guesses({ guesses }: { guesses: readonly Guess[] }) {
  return (
    <ol className="guesses" aria-label={say("quizbowl.guesses.best")} data-testid="guesses">
      {guesses.map(({ name, confidence, right }, index) => (
        <li key={index} data-right={right}>
          <span className="guess-name">
            <span {...ofData()}>{name}</span>
            {right && (
              <span className="guess-right">
                <Icon name="good" />
                {say("quizbowl.guesses.right")}
              </span>
            )}
          </span>
          <span className="guess-share">{percent(confidence)}</span>
          <svg className="guess-bar along-text" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className="guess-track" width="100" height="8" />
            <rect className="guess-confidence" width={Math.max(confidence * 100, 0.75)} height="8" />
          </svg>
        </li>
      ))}
    </ol>
  );
}
