/** Tossups that are over, the last one first: the answer, who buzzed where, and what the models would have said. */

import type { ReactNode } from "react";

import { signed, speakerOf } from "./course";
import type { CountedBuzz, Played, ShownBuzz } from "./records";
import "./played.css";

interface Props {
  played: readonly Played[];
  /** What may be done about a tossup, or about an answer to it. */
  below?: (tossup: Played) => ReactNode;
  beside?: (tossup: Played, buzz: CountedBuzz) => ReactNode;
}

export function PlayedList({ played, below, beside }: Props) {
  if (played.length === 0) {
    return null;
  }
  return (
    <section className="past">
      <h2>Played</h2>
      <ol className="played" reversed>
        {[...played].reverse().map((tossup) => (
          <li key={tossup.number} value={tossup.number} className="card">
            <h3>
              {tossup.number}. {tossup.answer}
            </h3>
            <p className="muted">
              {[tossup.category, tossup.adversarial ? "adversarial" : "regular"].filter(Boolean).join(", ")},{" "}
              {tossup.words} words
            </p>
            <ul>
              {tossup.buzzes.map((buzz) => (
                <li key={buzz.side}>
                  <BuzzLine buzz={buzz} protested={tossup.protested.includes(buzz.side)} />
                  {beside?.(tossup, buzz)}
                </li>
              ))}
              {tossup.buzzes.length === 0 && <li>Nobody buzzed.</li>}
            </ul>
            {tossup.guesses
              .filter(({ model }) => tossup.buzzes.every((buzz) => buzz.side !== model))
              .map(({ model, says, word, right }) => (
                <p key={model} className="muted">
                  {model} would have said <q>{says}</q> at word {word}: {right ? "right" : "wrong"}
                </p>
              ))}
            {below?.(tossup)}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function BuzzLine({ buzz, protested }: { buzz: ShownBuzz | CountedBuzz; protested: boolean }) {
  const verdict = buzz.right === null ? "not ruled on" : buzz.right ? "right" : "wrong";
  const points = !("points" in buzz) ? "" : buzz.points === null ? ", void" : `, ${signed(buzz.points)}`;
  return (
    <span className="buzz-line" data-right={buzz.right}>
      <strong>{speakerOf(buzz)}</strong> at word {buzz.word}
      {buzz.said !== null && (
        <>
          : <q>{buzz.said}</q>
        </>
      )}{" "}
      <span className="verdict">
        {verdict}
        {points}
      </span>
      {protested && <span className="verdict"> (protested)</span>}
    </span>
  );
}
