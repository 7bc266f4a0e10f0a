/** What the server says about a screening: the step at hand, what is behind and ahead, and the sample HIT. */

import type { Told } from "../words/told";
import type { Attempt, Hit, Terms } from "../writing/hit";
import type { Context } from "../writing/records";
import type { Screening as ScreeningRecord } from "./records";

export interface Mistake extends Told {
  hint: string | null;
}

/** What steps of all kinds have. */
export interface Step {
  id: string;
  kind: string;
  mistakes: readonly Mistake[];
  tries_left: number;
}

/** How a try went. */
export interface Response {
  step: string;
  right: boolean;
}

/** What is a kind's own. `Entry` stands in the fields of a step, `SampleEntry` in the editor of the sample HIT. */
export interface Types {
  Step: Step;
  Entry: object;
  Response: Response;
  Sample: Context;
  SampleEntry: unknown;
  Attempt: Attempt;
}

export interface Screening<T extends Types> extends Omit<ScreeningRecord, "step" | "sample" | "hit"> {
  step: T["Step"] | null;
  sample: T["Sample"] | null;
  hit: Hit<T["Attempt"]> | null;
}

/** What is read of `task_config.json` beside the terms of the sample HIT. */
export interface Outline {
  steps: readonly string[];
  tries_per_step: number;
}

export type QuizTerms = Terms & Outline;

export function readOutline(config: Readonly<Record<string, unknown>>): Outline {
  const steps = Array.isArray(config.steps) ? (config.steps as string[]) : [];
  return { steps, tries_per_step: Number(config.tries_per_step ?? 3) };
}
