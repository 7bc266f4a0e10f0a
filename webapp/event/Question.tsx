/** A question as far as it is shown, with whoever buzzed behind the word at which they did. */

import { Fragment } from "react";

import type { ShownBuzz } from "./records";
import "./question.css";

interface Props {
  text: string;
  buzzes: readonly ShownBuzz[];
  /** How many words have been read; the others are the moderator's alone. */
  read?: number;
}

export function Question({ text, buzzes, read = Infinity }: Props) {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return (
    <p className="question" dir="auto">
      {words.map((word, index) => (
        <Fragment key={index}>
          <span className={index < read ? (index === read - 1 ? "word now" : "word") : "word ahead"}>{word}</span>
          {buzzes
            .filter((buzz) => buzz.word === index + 1)
            .map((buzz) => (
              <mark key={buzz.side} className="buzzed" data-right={buzz.right} dir="auto">
                {buzz.side}
              </mark>
            ))}{" "}
        </Fragment>
      ))}
    </p>
  );
}
