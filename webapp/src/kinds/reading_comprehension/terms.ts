/** What the server says about reading comprehension: questions on passages, each with its answer there. */

import { type Problem, invalid } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import type { Span } from "../../passage/tokens";
import { termsOf } from "../../work/terms";
import type { Attempt, Terms } from "../../writing/hit";
import type { Prediction, Scores, Work } from "./records";
import { isEnglish } from "../../words/data";
import { say } from "../../words/say";

export interface QuestionTerms extends Terms {
  f1_threshold: number;
  min_question_chars: number;
  max_question_chars: number;
  max_answer_words: number;
}

/** The terms of Bartolo et al. 2020 (§3.1, §3.2), for what the configuration leaves out. */
const DEFAULT_TERMS: QuestionTerms = {
  task_title: "Beat the AI",
  task_description: "",
  wins_wanted: 3,
  max_wins: 5,
  max_tries: 25,
  min_attempts: 0,
  f1_threshold: 0.4,
  reward_cents: 200,
  bonuses: [],
  checks: "none",
  time_limit_seconds: 3600,
  min_question_chars: 3,
  max_question_chars: 300,
  max_answer_words: 30,
};

export type QuestionAttempt = Attempt<Work, Prediction, Scores>;

export function readTerms(config: Readonly<Record<string, unknown>>): QuestionTerms {
  return termsOf(config, DEFAULT_TERMS);
}

/** What is wrong with a question or an answer before it is sent. */
export function findProblem(question: string, answer: Span | null, terms: QuestionTerms): Problem | null {
  return findQuestionProblem(question, terms) ?? findAnswerProblem(answer, terms);
}

export function findQuestionProblem(question: string, terms: QuestionTerms): Problem | null {
  const characters = codePointLength(question.trim());
  if (characters < (isEnglish() ? terms.min_question_chars : 1)) {
    return invalid("question", say(characters === 0 ? "reading.problem.empty" : "reading.problem.short"));
  }
  if (characters > terms.max_question_chars) {
    return invalid("question", say("reading.problem.long", { count: characters, most: terms.max_question_chars }));
  }
  return null;
}

export function findAnswerProblem(answer: Span | null, terms: QuestionTerms): Problem | null {
  if (answer === null) {
    return invalid("answer", say("reading.problem.answer"));
  }
  const words = answer.text.split(/\s+/).length;
  if (words > terms.max_answer_words) {
    return invalid("answer", say("reading.problem.long_answer", { count: words, most: terms.max_answer_words }));
  }
  return null;
}
