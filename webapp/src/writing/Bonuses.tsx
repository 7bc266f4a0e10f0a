/** Every bonus with what it depends on, in the words that the server gives. */

import type { Terms } from "./hit";
import "./bonuses.css";

interface Props {
  terms: Terms;
  /** Whether other people check what is written in this HIT; null before there is one. */
  isChecked: boolean | null;
  /** What is checked: "questions on this passage". */
  works: string;
}

export function Bonuses({ terms, isChecked, works }: Props) {
  const bonuses = terms.bonuses.filter((bonus) => isChecked !== false || !bonus.needs_check);
  if (terms.bonuses.length === 0) {
    return null;
  }
  return (
    <div className="bonuses" data-testid="bonuses">
      {bonuses.length > 0 && (
        <>
          <p>Bonuses:</p>{" "}
          <ul>
            {bonuses.map(({ words }) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {bonuses.length < terms.bonuses.length && (
        <p>Nobody else checks the {works}: bonuses that depend on that are not paid for it.</p>
      )}
    </div>
  );
}
