/** Answering questions that others wrote, blind. */

import type { CheckingKind } from "../../checking/kind";
import { MARKING_SHORTCUTS } from "../../passage/shortcuts";
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
import { AIM, validationGuide } from "./guide";

export function answering(terms: AnswerTerms): CheckingKind<Question, Answer, AnswerEntry> {
  return {
    words: { item: "question", vote: "answer" },
    guide: validationGuide(terms),
    aim: AIM,
    shortcuts: () => MARKING_SHORTCUTS,
    empty: NO_ANSWER,
    isEntry: isAnswerEntry,
    voteOf: ({ answer }) => ({ answer }),
    entryOf,
    findProblem: (entry) => findProblem(entry, terms),
    reading: (judging) => <QuestionPassage key={judging.item.id} {...judging} />,
    card: (judging) => <QuestionCard key={judging.item.id} {...judging} />,
  };
}
