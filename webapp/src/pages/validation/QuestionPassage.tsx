/** The passage of a question, in which its answer is marked. */

import { useMemo } from "react";

import type { Judging } from "../../checking/kind";
import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { ContextTitle } from "../../work/ContextTitle";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import { type AnswerEntry, type Question, answered } from "./answers";

export function QuestionPassage({ context, item, entry, frozen, onEdit }: Judging<Question, AnswerEntry>) {
  const { title, text } = context;
  const tokens = useMemo(() => tokenise(text), [text]);
  return (
    <>
      {/* On a phone the question would be out of sight while its answer is marked. */}
      <p className="item-above" {...ofData()} aria-hidden="true">
        {item.work.question}
      </p>
      <ContextTitle title={title} otherwise={say("reading_checking.passage")} />
      <Passage
        text={text}
        tokens={tokens}
        marked={entry.answer && rangeOf(tokens, entry.answer)}
        frozen={frozen}
        onMark={(range) => onEdit(answered(range && spanOf(text, tokens, range)))}
      />
    </>
  );
}
