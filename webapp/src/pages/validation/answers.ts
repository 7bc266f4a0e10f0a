/** What the server says of questions to answer, and what a validator says of one. */

import type { Terms } from "../../checking/hit";
import { type Problem, invalid } from "../../crowd/packets";
import { isAnswer } from "../../kinds/reading_comprehension/entry";
import type { Span } from "../../passage/tokens";
import { termsOf } from "../../work/terms";
import { say } from "../../words/say";

export interface AnswerTerms extends Terms {
  max_answer_words: number;
}

const DEFAULT_TERMS: AnswerTerms = {
  task_title: "Find the answer",
  task_description: "",
  works_per_hit: 8,
  reward_cents: 100,
  time_limit_seconds: 3600,
  max_answer_words: 30,
};

export interface Question {
  question: string;
}

/** `answer` is null where the validator says that the question cannot be answered. */
export interface Answer {
  answer: Span | null;
}

/** An answer in the making: marked or typed, or none because the question `cannot` be answered. */
export interface AnswerEntry extends Answer {
  typed: string;
  cannot: boolean;
}

export const NO_ANSWER: AnswerEntry = { answer: null, typed: "", cannot: false };

/** Marking and "cannot be answered" exclude each other. */
export function answered(answer: Span | null, typed = ""): AnswerEntry {
  return { answer, typed, cannot: false };
}

export function unanswerable(cannot: boolean): AnswerEntry {
  return { ...NO_ANSWER, cannot };
}

export function readTerms(config: Readonly<Record<string, unknown>>): AnswerTerms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isAnswerEntry(value: unknown): value is AnswerEntry {
  const entry = value as Partial<AnswerEntry> | null | undefined;
  return typeof entry?.typed === "string" && typeof entry.cannot === "boolean" && isAnswer(entry.answer);
}

export function entryOf({ answer }: Answer): AnswerEntry {
  return { answer, typed: "", cannot: answer === null };
}

/** What is wrong with an answer before it is sent. */
export function findProblem({ answer, cannot }: AnswerEntry, { max_answer_words }: AnswerTerms): Problem | null {
  if (answer === null) {
    return cannot ? null : invalid("answer", say("reading_checking.problem.answer"));
  }
  const words = answer.text.split(/\s+/).length;
  return words > max_answer_words
    ? invalid("answer", say("reading_checking.problem.long", { count: words, most: max_answer_words }))
    : null;
}
