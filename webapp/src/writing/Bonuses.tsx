/** Every bonus with what it depends on, in the words that the server gives. */

import type { Terms } from "./hit";
import "./bonuses.css";

/** `isChecked`: whether other people check the questions on this passage; null before there is one. */
export function Bonuses({ terms, isChecked }: { terms: Terms; isChecked: boolean | null }) {
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
        <p>Nobody else checks the questions on this passage: bonuses that depend on that are not paid for it.</p>
      )}
    </div>
  );
}
