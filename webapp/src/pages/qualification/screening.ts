/** What the server says about a screening: the step at hand, what is behind and ahead, and the sample HIT. */

import type { Problem } from "../../crowd/packets";
import type { Span } from "../../passage/tokens";
import {
  type Context,
  type Hit,
  type Terms,
  findAnswerProblem,
  findQuestionProblem,
  readTerms,
} from "../../writing/hit";

export type StepKind = "question" | "answer" | "pair";
export type Phase = "steps" | "sample" | "failed" | "submitted";

export interface Example {
  good: boolean;
  text: string;
  why: string;
}

export interface Mistake {
  message: string;
  hint: string | null;
}

export interface Step {
  id: string;
  kind: StepKind;
  instruction: string;
  passage: Context;
  /** Given in an "answer" step. */
  question: string | null;
  /** Given in a "question" step. */
  answer: Span | null;
  /** What the examples are about. */
  example_passage: string | null;
  examples: readonly Example[];
  mistakes: readonly Mistake[];
  tries_left: number;
}

export interface Screening {
  phase: Phase;
  steps: readonly { id: string; kind: StepKind | "sample" }[];
  steps_done: number;
  step: Step | null;
  sample: Context | null;
  hit: Hit | null;
  seconds_left: number | null;
}

/** How a try went. The AI's answer comes with a right question that somebody wrote. */
export interface Response {
  step: string;
  right: boolean;
  model_answer: string | null;
}

/** The part of `task_config.json` that this page reads beside the terms of the sample HIT. */
export interface QuizTerms extends Terms {
  steps: readonly StepKind[];
  tries_per_step: number;
}

export function readQuizTerms(config: Readonly<Record<string, unknown>>): QuizTerms {
  const steps = Array.isArray(config["steps"]) ? (config["steps"] as StepKind[]) : [];
  return { ...readTerms(config), steps, tries_per_step: Number(config["tries_per_step"] ?? 3) };
}

export const KIND_NAMES: Readonly<Record<StepKind | "sample", string>> = {
  question: "Write a question for a given answer",
  answer: "Mark the answer to a given question",
  pair: "Write a question and mark its answer",
  sample: "A sample HIT against the AI",
};

/** What is wrong before it is sent; the server checks all of it again. */
export function findStepProblem(kind: StepKind, question: string, answer: Span | null, terms: Terms): Problem | null {
  return (
    (kind === "answer" ? null : findQuestionProblem(question, terms)) ??
    (kind === "question" ? null : findAnswerProblem(answer, terms))
  );
}
