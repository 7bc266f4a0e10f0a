/** What the server says about a reading comprehension HIT: its terms, its passage, its attempts. */

import type { Problem } from "../crowd/packets";
import { codePointLength } from "../passage/codePoints";
import type { Span } from "../passage/tokens";
import { termsOf } from "../work/terms";

/** A bonus in the server's words. `needs_check`: it depends on what other people confirm. */
export interface Bonus {
  words: string;
  needs_check: boolean;
}

/** The part of `task_config.json` that this page reads. Amounts are US cents. */
export interface Terms {
  task_title: string;
  task_description: string;
  wins_wanted: number;
  max_wins: number;
  max_tries: number;
  /** How many questions must stand before the HIT can be submitted; 0 for any, even one that was taken back. */
  min_attempts: number;
  f1_threshold: number;
  reward_cents: number;
  bonuses: readonly Bonus[];
  /** Whether other people check the questions on any passage. */
  checks: boolean;
  time_limit_seconds: number;
  min_question_chars: number;
  max_question_chars: number;
  max_answer_words: number;
}

/** The terms of Bartolo et al. 2020 (§3.1, §3.2), for what the configuration leaves out. */
const DEFAULT_TERMS: Terms = {
  task_title: "Beat the AI",
  task_description: "",
  wins_wanted: 3,
  max_wins: 5,
  max_tries: 25,
  min_attempts: 0,
  f1_threshold: 0.4,
  reward_cents: 200,
  bonuses: [],
  checks: false,
  time_limit_seconds: 3600,
  min_question_chars: 3,
  max_question_chars: 300,
  max_answer_words: 30,
};

export interface Context {
  id: string;
  title: string;
  text: string;
}

export interface Task {
  context: Context;
  hit: string;
}

export type FlagReason = "ai_was_right" | "context_problem" | "other";

export interface Attempt {
  attempt_id: string;
  work: { question: string; answer: Span };
  /** The AI's answer, and how sure it is: 0 to 1. */
  prediction: Span & { score: number };
  /** How far the words of the two answers overlap. */
  scores: { f1: number };
  fooled: boolean;
  retracted: boolean;
  flag: { reason: FlagReason; note: string } | null;
  created_at: string;
}

export interface Standing {
  wins: number;
  tries_left: number;
  complete: boolean;
  seconds_left: number | null;
  /** What the wins bring once the HIT is handed in and confirmed, and what other people may add to that. */
  bonus_cents: number;
  possible_bonus_cents: number;
  /** Other people will answer these questions, too. */
  is_checked: boolean;
  /** While time is left, so many more questions come before the HIT can be handed in. */
  tries_missing: number;
}

export interface Hit extends Standing {
  attempts: readonly Attempt[];
}

export function readTerms(config: Readonly<Record<string, unknown>>): Terms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return typeof task?.context?.text === "string" && typeof task.context.id === "string";
}

/** What is wrong with a question or an answer before it is sent; the server checks all of it again. */
export function findProblem(question: string, answer: Span | null, terms: Terms): Problem | null {
  return findQuestionProblem(question, terms) ?? findAnswerProblem(answer, terms);
}

export function findQuestionProblem(question: string, terms: Terms): Problem | null {
  const characters = codePointLength(question.trim());
  if (characters < terms.min_question_chars) {
    const message =
      characters === 0 ? "Please write a question first." : "This question is too short. Please write it out.";
    return problem("question", message);
  }
  if (characters > terms.max_question_chars) {
    const most = terms.max_question_chars;
    return problem(
      "question",
      `The question has ${characters} characters; at most ${most} are allowed. Please shorten it.`,
    );
  }
  return null;
}

export function findAnswerProblem(answer: Span | null, terms: Terms): Problem | null {
  if (answer === null) {
    return problem("answer", "Please mark the answer in the passage, or type it into the field below the question.");
  }
  const words = answer.text.split(/\s+/).length;
  if (words > terms.max_answer_words) {
    const most = terms.max_answer_words;
    return problem("answer", `The answer has ${words} words; at most ${most} are allowed. Please mark a shorter one.`);
  }
  return null;
}

function problem(field: string, message: string): Problem {
  return { code: "invalid", field, message };
}
