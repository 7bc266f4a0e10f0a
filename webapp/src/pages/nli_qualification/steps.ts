/** The steps of the quiz, as the server gives them: statements to label, then statements to write. */

import { type Problem, invalid } from "../../crowd/packets";
import { type Label, isLabel } from "../../kinds/nli/labels";
import {
  NO_STATEMENT,
  type SampleContext,
  type StatementAttempt,
  type StatementEntry,
  type StatementTerms,
  findProblem as findStatementProblem,
  isStatementEntry,
  readTerms,
} from "../../kinds/nli/terms";
import type { StepNames } from "../../screening/Progress";
import { type Outline, type Response, type Step, readOutline } from "../../screening/screening";
import { say } from "../../words/say";
import type { Context } from "../../writing/records";

/** `premise` is an id. */
export interface Item {
  id: string;
  premise: string;
  hypothesis: string;
}

export interface LabellingStep extends Step {
  kind: "labelling";
  premises: readonly Context[];
  examples: readonly { premise: string; hypothesis: string; label: Label; why: string }[];
  items: readonly Item[];
}

export interface WritingStep extends Step {
  kind: "writing";
  premise: Context;
  target: Label;
}

/** After labelling: how many labels were right, and what is wrong with the others. After writing: what the AI found. */
export interface StepResponse extends Response {
  labelled_right?: number;
  wrong?: readonly { id: string; label: Label; why: string }[];
  model_label?: Label | null;
}

/** What stands in the fields of either kind of step: labels by item, and a statement. */
export interface StepEntry extends StatementEntry {
  labels: Readonly<Record<string, Label>>;
}

export interface PairTypes {
  Step: LabellingStep | WritingStep;
  Entry: StepEntry;
  Response: StepResponse;
  Sample: SampleContext;
  SampleEntry: StatementEntry;
  Attempt: StatementAttempt;
}

export type QuizTerms = StatementTerms & Outline;

export const NOTHING: StepEntry = { ...NO_STATEMENT, labels: {} };

export const STEP_NAMES: StepNames = {
  labelling: "nli_screening.step.labelling",
  writing: "nli_screening.step.writing",
  sample: "screening.steps.sample",
};

export function readQuizTerms(config: Readonly<Record<string, unknown>>): QuizTerms {
  return { ...readTerms(config), ...readOutline(config) };
}

export function isStepEntry(value: unknown): value is StepEntry {
  const labels = (value as Partial<StepEntry> | null | undefined)?.labels;
  return (
    isStatementEntry(value) && typeof labels === "object" && labels !== null && Object.values(labels).every(isLabel)
  );
}

export function workOf(step: PairTypes["Step"], { hypothesis, labels }: StepEntry): object {
  return step.kind === "labelling"
    ? { labels: step.items.map(({ id }) => labels[id]) }
    : { hypothesis: hypothesis.trim() };
}

/** What is wrong before it is sent. */
export function findStepProblem(step: PairTypes["Step"], entry: StepEntry, terms: StatementTerms): Problem | null {
  if (step.kind === "writing") {
    return findStatementProblem(entry, terms);
  }
  const open = step.items.filter(({ id }) => entry.labels[id] === undefined).length;
  return open > 0 ? invalid("labels", say("nli_screening.problem.open", { count: open })) : null;
}
