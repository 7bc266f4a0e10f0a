/** The steps of the quiz, as the server gives them: questions, answers, or both. */

import type { Problem } from "../../crowd/packets";
import type { QuestionEntry } from "../../kinds/reading_comprehension/entry";
import {
  type QuestionAttempt,
  type QuestionTerms,
  findAnswerProblem,
  findQuestionProblem,
  readTerms,
} from "../../kinds/reading_comprehension/terms";
import type { Span } from "../../passage/tokens";
import type { StepNames } from "../../screening/Progress";
import { type Outline, type Response, type Step, readOutline } from "../../screening/screening";
import type { Context } from "../../writing/records";

export interface Example {
  good: boolean;
  text: string;
  why: string;
}

export interface QuestionStep extends Step {
  kind: "question" | "answer" | "pair";
  passage: Context;
  /** Given in an "answer" step. */
  question: string | null;
  /** Given in a "question" step. */
  answer: Span | null;
  /** What the examples are about. */
  example_passage: string | null;
  examples: readonly Example[];
}

/** The AI's answer comes with a right question that somebody wrote. */
export interface QuestionResponse extends Response {
  model_answer: string | null;
}

export interface QuestionTypes {
  Step: QuestionStep;
  Entry: QuestionEntry;
  Response: QuestionResponse;
  Sample: Context;
  SampleEntry: QuestionEntry;
  Attempt: QuestionAttempt;
}

export type QuizTerms = QuestionTerms & Outline;

export function readQuizTerms(config: Readonly<Record<string, unknown>>): QuizTerms {
  return { ...readTerms(config), ...readOutline(config) };
}

export const STEP_NAMES: StepNames = {
  question: "reading_screening.step.question",
  answer: "reading_screening.step.answer",
  pair: "reading_screening.step.pair",
  sample: "screening.steps.sample",
};

/** What of an entry a step asks for. */
export function workOf({ kind }: Pick<QuestionStep, "kind">, { question, answer }: QuestionEntry): object {
  return {
    ...(kind === "answer" ? {} : { question: question.trim() }),
    ...(kind === "question" ? {} : { answer }),
  };
}

/** What is wrong before it is sent. */
export function findStepProblem(
  { kind }: Pick<QuestionStep, "kind">,
  { question, answer }: QuestionEntry,
  terms: QuestionTerms,
): Problem | null {
  return (
    (kind === "answer" ? null : findQuestionProblem(question, terms)) ??
    (kind === "question" ? null : findAnswerProblem(answer, terms))
  );
}
