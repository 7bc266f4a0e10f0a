/** What the server says about natural language inference: statements about texts, each with a target label. */

import { type Problem, invalid } from "../../crowd/packets";
import { codePointLength } from "../../passage/codePoints";
import { termsOf } from "../../work/terms";
import { type Attempt, type Terms, isTask, type Task } from "../../writing/hit";
import type { Context } from "../../writing/records";
import { type Label, isLabel } from "./labels";
import type { Prediction, Scores, Work } from "./records";
import { say } from "../../words/say";

export interface StatementTerms extends Terms {
  max_hypothesis_chars: number;
}

/** As Nie et al. 2020 ("Annotation details") where they say it, for what the configuration leaves out. */
const DEFAULT_TERMS: StatementTerms = {
  task_title: "Beat the AI",
  task_description: "",
  wins_wanted: 1,
  max_wins: 1,
  max_tries: 5,
  min_attempts: 0,
  reward_cents: 60,
  bonuses: [],
  checks: "none",
  time_limit_seconds: 1800,
  max_hypothesis_chars: 300,
};

export type StatementAttempt = Attempt<Pick<Work, "hypothesis">, Prediction, Scores>;

/** What a HIT asks for beside its text. */
export interface Aim {
  target: Label;
}

export interface StatementTask extends Task {
  brief: Aim;
}

export interface SampleContext extends Context {
  brief: Aim;
}

export function readTerms(config: Readonly<Record<string, unknown>>): StatementTerms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isStatementTask(value: unknown): value is StatementTask {
  return isTask(value) && isLabel((value as Partial<StatementTask>).brief?.target);
}

/** A statement in the making. */
export interface StatementEntry {
  hypothesis: string;
}

export const NO_STATEMENT: StatementEntry = { hypothesis: "" };

export function isStatementEntry(value: unknown): value is StatementEntry {
  return typeof (value as Partial<StatementEntry> | null | undefined)?.hypothesis === "string";
}

/** What is wrong with a statement before it is sent. */
export function findProblem({ hypothesis }: StatementEntry, terms: StatementTerms): Problem | null {
  const most = terms.max_hypothesis_chars;
  const characters = codePointLength(hypothesis.trim());
  if (characters === 0) {
    return invalid("hypothesis", say("nli.problem.empty"));
  }
  return characters > most ? invalid("hypothesis", say("nli.problem.long", { count: characters, most })) : null;
}
