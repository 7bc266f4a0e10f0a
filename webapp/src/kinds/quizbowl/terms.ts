/** What the server says about Quizbowl: questions of several sentences, each about an answer from a closed list. */

import { type Problem, invalid } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import type { Count } from "../../work/fields/TextField";
import { termsOf } from "../../work/terms";
import { type Attempt, type Terms, isTask, type Task } from "../../writing/hit";
import type { Guess, Late } from "./guesses";
import type { Prediction, Scores, Work } from "./records";
import { sentences, words } from "./wording";
import { say } from "../../words/say";

/** Without `shows_model` nothing of the AI is shown, and it is never asked while somebody types. */
export interface QuestionTerms extends Terms {
  shows_model: boolean;
}

/** As Wallace et al. 2019 (§3.4) where they say it, for what the configuration leaves out. */
const DEFAULT_TERMS: QuestionTerms = {
  task_title: "Trick me if you can",
  task_description: "",
  wins_wanted: 1,
  max_wins: 1,
  max_tries: 100,
  min_attempts: 0,
  reward_cents: 300,
  bonuses: [],
  checks: "none",
  time_limit_seconds: 86400,
  shows_model: true,
};

export function readTerms(config: Readonly<Record<string, unknown>>): QuestionTerms {
  return termsOf(config, DEFAULT_TERMS);
}

/** What a HIT asks for beside its text. */
export interface Brief extends Late {
  category: string;
  /** How many there are to choose from. */
  answers: number;
  min_words: number;
  max_words: number;
  max_chars: number;
  min_sentences: number;
}

export interface QuestionTask extends Task {
  brief: Brief;
}

export function isQuestionTask(value: unknown): value is QuestionTask {
  const brief = (value as Partial<QuestionTask> | null | undefined)?.brief as Partial<Brief> | null | undefined;
  const limits = [brief?.min_words, brief?.max_words, brief?.max_chars, brief?.min_sentences, brief?.late_share];
  const isBrief = typeof brief?.category === "string" && typeof brief.late_position === "string";
  return isTask(value) && isBrief && limits.every((limit) => typeof limit === "number");
}

/** As long as none is chosen, `answer` is empty. */
export type Question = Work;

export const NO_QUESTION: Question = { text: "", answer: "" };

export function isQuestion(value: unknown): value is Question {
  const question = value as Partial<Question> | null | undefined;
  return typeof question?.text === "string" && typeof question.answer === "string";
}

export type QuestionAttempt = Attempt<Question, Prediction, Scores>;

interface Guessed extends Pick<QuestionAttempt, "work"> {
  prediction: Pick<Prediction, "guesses">;
}

export function guessesOf({ work, prediction }: Guessed): Guess[] {
  return prediction.guesses.map(({ page, confidence }) => ({
    name: pageTitle(page),
    confidence,
    right: page === work.answer,
  }));
}

/** The paper's names of categories that are lists, and stand without commas in its data. */
const LISTS: Readonly<Record<string, string>> = {
  "Geography Current Events and General Knowledge": "Geography, Current Events and General Knowledge",
  "Religion Mythology Philosophy and Social Science": "Religion, Mythology, Philosophy and Social Science",
};

/** For people, in a sentence. */
export function categoryName(category: string): string {
  return LISTS[category] ?? category;
}

/** For people: "Emma_(novel)" is "Emma". */
export function pageTitle(page: string): string {
  return page.replace(/[ _]\([^()]*\)$/u, "").replaceAll("_", " ");
}

export function lengthOf(text: string, { min_words: least, max_words: most, max_chars }: Brief): Count {
  const [count, parts] = [words(text).length, sentences(text).length];
  const said = say("quizbowl.length", { words: count, least, most, sentences: parts });
  return { words: said, over: count > most || codePointLength(text.trim()) > max_chars };
}

/** What is wrong with a question before it is sent. */
export function findProblem({ text, answer }: Question, brief: Brief): Problem | null {
  const { min_words: least, max_words: most, max_chars, min_sentences } = brief;
  const [count, parts, characters] = [words(text).length, sentences(text).length, codePointLength(text.trim())];
  if (answer === "") {
    return invalid("answer", say("quizbowl.problem.answer"));
  }
  if (count === 0) {
    return invalid("text", say("quizbowl.problem.empty"));
  }
  if (count < least || count > most) {
    const key = count < least ? "quizbowl.problem.few_words" : "quizbowl.problem.many_words";
    return invalid("text", say(key, { count, least, most }));
  }
  if (characters > max_chars) {
    return invalid("text", say("quizbowl.problem.long", { count: characters, most: max_chars }));
  }
  const few = parts < min_sentences;
  return few ? invalid("text", say("quizbowl.problem.sentences", { count: parts, least: min_sentences })) : null;
}

/** What the AI is asked about while somebody types; null where there is nothing yet, or too much. */
export function draftOf({ text, answer }: Question, { max_chars }: Brief): Question | null {
  return answer === "" || text.trim() === "" || codePointLength(text) > max_chars ? null : { text, answer };
}
