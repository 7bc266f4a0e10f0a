/** A question as far as it was read. Words are added one by one, and so they are announced, and kept in sight. */

import { useEffect, useRef } from "react";

import "../../passage/passage.css";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import type { Revealed } from "./plays";

interface Props {
  category: string;
  revealed: Revealed | undefined;
  /** Somebody reads along. */
  reading?: boolean;
}

export function QuestionText({ category, revealed, reading = false }: Props) {
  const words = revealed?.text.split(/\s+/u) ?? [];
  const last = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (reading) {
      last.current?.scrollIntoView({ block: "nearest" });
    }
  }, [reading, words.length]);
  return (
    <>
      <h2 dir="auto">{category}</h2>
      <p className="passage" {...ofData()} role="region" aria-label={say("quizbowl_checking.question")} aria-live="polite" tabIndex={0}>
        {words.map((word, index) => (
          <span key={index} ref={index === words.length - 1 ? last : undefined} className="read-word">
            {word}{" "}
          </span>
        ))}
        {revealed?.ended && <span className="visually-hidden">{say("quizbowl_checking.question.end")}</span>}
      </p>
      {revealed === undefined && <p className="hushed">{say("quizbowl_checking.question.none")}</p>}
    </>
  );
}
