/** Tossups that are over, the last one first: the answer, who buzzed where, and what the models would have said. */

import type { ReactNode } from "react";

import { Say } from "../src/words/Say";
import { say } from "../src/words/say";
import { choiceOf, signed, speakerOf } from "./course";
import type { CountedBuzz, Played, ShownBuzz } from "./records";
import { QUOTED } from "./tags";
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
      <h2>{say("event.played")}</h2>
      <ol className="played" reversed>
        {[...played].reverse().map((tossup) => (
          <li key={tossup.number} value={tossup.number} className="card">
            <h3>
              {tossup.number}. <bdi dir="auto">{tossup.answer}</bdi>
            </h3>
            <p className="muted">
              {about(tossup)}
            </p>
            <ul>
              {tossup.buzzes.map((buzz) => (
                <li key={buzz.side}>
                  <BuzzLine buzz={buzz} protested={tossup.protested.includes(buzz.side)} />
                  {beside?.(tossup, buzz)}
                </li>
              ))}
              {tossup.buzzes.length === 0 && <li>{say("event.played.nobody")}</li>}
            </ul>
            {tossup.guesses
              .filter(({ model }) => tossup.buzzes.every((buzz) => buzz.side !== model))
              .map(({ model, says, word, right }) => (
                <p key={model} className="muted">
                  <Say of="event.played.guess" args={{ model, says, word, right: choiceOf(right) }} tags={QUOTED} />
                </p>
              ))}
            {below?.(tossup)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function about({ category, adversarial, words: count }: Played): string {
  const written = say(adversarial ? "event.played.adversarial" : "event.played.regular");
  const words = say("event.played.words", { count });
  return category === ""
    ? say("event.played.about", { written, words })
    : say("event.played.about.category", { category, written, words });
}

function withPoints(verdict: string, buzz: ShownBuzz | CountedBuzz): string {
  if (!("points" in buzz)) {
    return verdict;
  }
  const points = buzz.points === null ? say("event.played.void") : signed(buzz.points);
  return say("event.played.verdict", { verdict, points });
}

export function BuzzLine({ buzz, protested }: { buzz: ShownBuzz | CountedBuzz; protested: boolean }) {
  const ruling =
    buzz.right === null ? "event.played.unruled" : buzz.right ? "event.played.right" : "event.played.wrong";
  const { word, said } = buzz;
  const who = speakerOf(buzz);
  return (
    <span className="buzz-line" data-right={buzz.right}>
      {said === null ? (
        <Say of="event.played.at_word" args={{ who, word }} />
      ) : (
        <Say of="event.played.said" args={{ who, word, said }} tags={QUOTED} />
      )}{" "}
      <span className="verdict">{withPoints(say(ruling), buzz)}</span>
      {protested && <span className="verdict"> {say("event.played.protested")}</span>}
    </span>
  );
}
