/** Writing questions that an AI answers late or not at all, with its guesses in sight ("Trick Me If You Can"). */

import type { Desk } from "../../pages/page";
import { TryStats } from "../../writing/WritingStats";
import type { Hints } from "../../writing/hints";
import type { WritingKind } from "../../writing/kind";
import { closingOf } from "../../writing/standing";
import { Composer, QuestionForm } from "./Composer";
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
  type QuestionTerms,
  findProblem,
  guessesOf,
  isQuestion,
  pageTitle,
} from "./terms";
import { ofData } from "../../words/data";
import { say } from "../../words/say";

/** `hints` is null where nothing of the AI is shown. */
export function questions(
  terms: QuestionTerms,
  brief: Brief,
  desk: Desk,
  hints: Hints<Question, Shown> | null,
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
    suggested: ({ text = "", answer = "" }) => ({ text, answer: pageTitle(answer), entry: { text, answer } }),
    textOf: ({ text }) => text,
    findProblem: (entry) => findProblem(entry, brief),
    workFirst: true,
    goal: (isChecked) => <QuestionGoal terms={terms} brief={brief} isChecked={isChecked} />,
    stats: (hit) => <TryStats hit={hit} terms={terms} />,
    reading: ({ entry, frozen, done }) =>
      hints && (
        <GuessPanel hints={hints} entry={entry} late={brief} closed={frozen || done}>
          <HistoryButton desk={desk} />
        </GuessPanel>
      ),
    composer: ({ button, done, shown, ...editing }) => {
      const form = { ...editing, desk, brief, children: button };
      return !done && (hints === null ? <QuestionForm {...form} /> : <Composer {...form} hints={hints} />);
    },
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
