/** What the server says of statements to judge, and what a verifier says of one. */

import type { Terms } from "../../checking/hit";
import { type Problem, invalid } from "../../crowd/packets";
import { type Label, isLabel } from "../../kinds/nli/labels";
import { termsOf } from "../../work/terms";

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
export const FLAGS = {
  not_a_statement: "It is not a statement: a question, an order, a fragment",
  not_understandable: "It cannot be understood, or can be read in two ways",
  offensive: "It is offensive",
  other: "Something else is wrong with it",
} as const;

export type Flag = keyof typeof FLAGS;

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
  return (choice === null || choice === "bad" || isLabel(choice)) && (flag === null || String(flag) in FLAGS);
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
    return invalid("label", "Please choose a judgement, or say that it is a bad example.");
  }
  return choice === "bad" && flag === null ? invalid("flag", "Please say what is wrong with the statement.") : null;
}
