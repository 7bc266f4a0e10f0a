/** Writing questions on a passage, each with its answer there, that the AI answers wrong. */

import type { ReactNode } from "react";

import { Passage } from "../../passage/Passage";
import { markingShortcuts } from "../../passage/shortcuts";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { ContextTitle } from "../../work/ContextTitle";
import { Stat } from "../../work/header/WorkHeader";
import { BonusSoFar, Wins } from "../../writing/WritingStats";
import type { Context } from "../../writing/records";
import type { WritingKind } from "../../writing/kind";
import { Composer } from "./Composer";
import { Evidence, comesNext } from "./Evidence";
import { NO_QUESTION, type QuestionEntry, isQuestionEntry } from "./entry";
import { QuestionGoal, writingGuide } from "./guide";
import { doubtOf, lackOf, standingOf } from "./standing";
import { type QuestionAttempt, type QuestionTerms, findProblem } from "./terms";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";

export function questions(terms: QuestionTerms, context: Context): WritingKind<QuestionEntry, QuestionAttempt> {
  const { title, text } = context;
  const tokens = tokenise(text);
  return {
    words: { work: "question", context: "passage" },
    guide: (isChecked) => writingGuide(terms, isChecked),
    shortcuts: markingShortcuts(),
    explained: [],
    empty: NO_QUESTION,
    isEntry: isQuestionEntry,
    // An entry without an answer is never sent.
    workOf: ({ question, answer }) => ({ question: question.trim(), answer: answer! }),
    entryOf: null,
    suggested: ({ question = "", answer }) => ({
      text: question,
      answer: answer?.text ?? null,
      entry: answer ? { question, answer, typed: "" } : { question },
    }),
    textOf: ({ question }) => question,
    findProblem: ({ question, answer }) => findProblem(question, answer, terms),
    goal: (isChecked) => <QuestionGoal terms={terms} isChecked={isChecked} />,
    stats: (hit) => (
      <>
        <Wins hit={hit} terms={terms} />
        <Stat label={say("reading.tries_left")} testId="tries-left">
          {hit.tries_left}
        </Stat>
        <BonusSoFar hit={hit} terms={terms} />
      </>
    ),
    reading: ({ entry: { answer }, shown, frozen, onEdit }) => (
      <>
        <ContextTitle title={title} otherwise={say("reading.passage")} />
        <Passage
          text={text}
          tokens={tokens}
          marked={answer && rangeOf(tokens, answer)}
          model={shown && rangeOf(tokens, shown.prediction)}
          frozen={frozen}
          onMark={(range) => onEdit({ answer: range && spanOf(text, tokens, range), typed: "" })}
        />
        <Legend writer={answer !== null} model={shown !== null && shown.prediction.text !== ""} />
      </>
    ),
    composer: ({ button, ...editing }) => (
      <Composer {...editing} text={text} tokens={tokens} maxQuestionChars={terms.max_question_chars}>
        {button}
      </Composer>
    ),
    evidence: (attempt) => <Evidence attempt={attempt} threshold={terms.f1_threshold} />,
    summary: ({ work, prediction }) => (
      <Say of="reading.summary" args={{ writer: work.answer.text, model: prediction.text }} tags={{ q: quoted }} />
    ),
    comesNext: ({ fooled }, isChecked) => comesNext(fooled === true, isChecked),
    closing: (hit, begun) => {
      const empty = !begun && hit.attempts.length === 0;
      const few = hit.wins < terms.wins_wanted && !hit.complete;
      return {
        title: say("work.hand_in"),
        button: say("work.hand_in.submit"),
        standing: empty ? say("reading.waits") : standingOf(hit, terms),
        lack: lackOf(hit, terms),
        isNext: hit.wins >= terms.wins_wanted || hit.complete,
        doubt: few
          ? {
              title: say("writing.finish"),
              text: empty ? say("reading.waits") : doubtOf(hit, terms),
              yes: say("writing.finish.yes"),
            }
          : null,
      };
    },
  };
}

function quoted(text: ReactNode[]): ReactNode {
  return <q {...ofData()}>{text}</q>;
}

function Legend({ writer, model }: { writer: boolean; model: boolean }) {
  return (
    <p className="legend">
      {writer && (
        <span>
          <span className="marked">{say("reading.legend.writer")}</span>
        </span>
      )}
      {model && (
        <span>
          <span className="model">{say("reading.legend.model")}</span>
        </span>
      )}
    </p>
  );
}
