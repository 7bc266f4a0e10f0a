/** A question in the making: its answer may be marked or typed. */

import type { Span } from "../../passage/tokens";

export interface QuestionEntry {
  question: string;
  answer: Span | null;
  typed: string;
}

export const NO_QUESTION: QuestionEntry = { question: "", answer: null, typed: "" };

export function isQuestionEntry(value: unknown): value is QuestionEntry {
  const entry = value as Partial<QuestionEntry> | null | undefined;
  return typeof entry?.question === "string" && typeof entry.typed === "string" && isAnswer(entry.answer);
}

export function isAnswer(value: unknown): value is Span | null {
  const answer = value as Partial<Span> | null | undefined;
  return answer === null || (typeof answer?.text === "string" && Number.isInteger(answer.start));
}
