/** What the server says of statements to judge, and what a verifier says of one. */

import type { Terms } from "../../checking/hit";
import { type Problem, invalid } from "../../crowd/packets";
import { type Label, isLabel } from "../../kinds/nli/labels";
import { termsOf } from "../../work/terms";
import { say } from "../../words/say";

const DEFAULT_TERMS: Terms = {
  task_title: "Is it correct?",
  task_description: "",
  works_per_hit: 8,
  reward_cents: 80,
  time_limit_seconds: 1800,
};

export interface Statement {
  hypothesis: string;
}

/** Why a statement should have no label. */
export const FLAGS = ["not_a_statement", "not_understandable", "offensive", "other"] as const;

export type Flag = (typeof FLAGS)[number];

/** A label, or why there is none: one of both is null. */
export interface Judgement {
  label: Label | null;
  flag: Flag | null;
}

/** A judgement in the making: a bad example may have no reason yet. */
export interface JudgementEntry {
  choice: Label | "bad" | null;
  flag: Flag | null;
}

export const NO_JUDGEMENT: JudgementEntry = { choice: null, flag: null };

export function readTerms(config: Readonly<Record<string, unknown>>): Terms {
  return termsOf(config, DEFAULT_TERMS);
}

export function isJudgementEntry(value: unknown): value is JudgementEntry {
  const entry = value as Partial<JudgementEntry> | null | undefined;
  const { choice, flag } = entry ?? {};
  return (choice === null || choice === "bad" || isLabel(choice)) && (flag === null || FLAGS.some((known) => known === flag));
}

export function judgementOf({ choice, flag }: JudgementEntry): Judgement {
  return choice === "bad" ? { label: null, flag } : { label: choice, flag: null };
}

export function entryOf({ label, flag }: Judgement): JudgementEntry {
  return { choice: label ?? "bad", flag };
}

/** What is wrong with a judgement before it is sent. */
export function findProblem({ choice, flag }: JudgementEntry): Problem | null {
  if (choice === null) {
    return invalid("label", say("nli_checking.problem.choice"));
  }
  return choice === "bad" && flag === null ? invalid("flag", say("nli_checking.problem.why")) : null;
}
