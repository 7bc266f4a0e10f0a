/** Answering questions that others wrote, blind. */

import type { CheckingKind } from "../../checking/kind";
import { markingShortcuts } from "../../passage/shortcuts";
import { say } from "../../words/say";
import { QuestionCard } from "./QuestionCard";
import { QuestionPassage } from "./QuestionPassage";
import {
  type Answer,
  type AnswerEntry,
  type AnswerTerms,
  NO_ANSWER,
  type Question,
  entryOf,
  findProblem,
  isAnswerEntry,
} from "./answers";
import { validationGuide } from "./guide";

export function answering(terms: AnswerTerms): CheckingKind<Question, Answer, AnswerEntry> {
  return {
    work: "question",
    guide: validationGuide(terms),
    aim: say("reading_checking.aim"),
    shortcuts: markingShortcuts,
    empty: NO_ANSWER,
    isEntry: isAnswerEntry,
    voteOf: ({ answer }) => ({ answer }),
    entryOf,
    findProblem: (entry) => findProblem(entry, terms),
    reading: (judging) => <QuestionPassage key={judging.item.id} {...judging} />,
    card: (judging) => <QuestionCard key={judging.item.id} {...judging} />,
  };
}
