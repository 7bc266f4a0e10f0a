/** Writing questions that an AI answers late or not at all, with its guesses in sight ("Trick Me If You Can"). */

import type { Desk } from "../../pages/page";
import { TryStats } from "../../writing/WritingStats";
import type { Hints } from "../../writing/hints";
import type { Terms } from "../../writing/hit";
import type { WritingKind } from "../../writing/kind";
import { closingOf } from "../../writing/standing";
import { Composer } from "./Composer";
import { GuessPanel } from "./GuessPanel";
import { Guesses } from "./Guesses";
import { HistoryButton } from "./History";
import { comesNext } from "./comesNext";
import { QuestionGoal, writingGuide } from "./guide";
import { type Shown, rightWords } from "./guesses";
import {
  type Brief,
  NO_QUESTION,
  type Question,
  type QuestionAttempt,
  findProblem,
  guessesOf,
  isQuestion,
  pageTitle,
} from "./terms";
import { ofData } from "../../words/data";
import { say } from "../../words/say";

export function questions(
  terms: Terms,
  brief: Brief,
  desk: Desk,
  hints: Hints<Question, Shown>,
): WritingKind<Question, QuestionAttempt> {
  return {
    words: { work: "question", context: "category" },
    guide: (isChecked) => writingGuide({ terms, brief, isChecked }),
    shortcuts: [],
    explained: [],
    empty: NO_QUESTION,
    isEntry: isQuestion,
    workOf: ({ text, answer }) => ({ text: text.trim(), answer }),
    entryOf: ({ text, answer }) => ({ text, answer }),
    textOf: ({ text }) => text,
    findProblem: (entry) => findProblem(entry, brief),
    workFirst: true,
    goal: (isChecked) => <QuestionGoal terms={terms} brief={brief} isChecked={isChecked} />,
    stats: (hit) => <TryStats hit={hit} terms={terms} />,
    reading: ({ entry, frozen, done }) => (
      <GuessPanel hints={hints} entry={entry} late={brief} closed={frozen || done}>
        <HistoryButton desk={desk} />
      </GuessPanel>
    ),
    composer: ({ button, done, shown, ...editing }) =>
      !done && (
        <Composer {...editing} desk={desk} brief={brief} hints={hints}>
          {button}
        </Composer>
      ),
    evidence: (attempt) => (
      <>
        {attempt.fooled && (
          <blockquote className="read-back-text" {...ofData()}>
            {attempt.work.text}
          </blockquote>
        )}
        <Guesses guesses={guessesOf(attempt)} />
      </>
    ),
    summary: ({ work, scores }) => say("quizbowl.summary", { answer: pageTitle(work.answer), right: rightWords(scores) }),
    comesNext,
    closing: (hit, begun) => closingOf(hit, terms, begun, "question"),
  };
}
