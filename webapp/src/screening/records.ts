/** Written by `make webapp` from beat_the_ai.workforce.screening.page: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  StepName: StepName;
  Sample: Sample;
  Screening: Screening;
}
/**
 * A step of the quiz, or the sample HIT.
 */
export interface StepName {
  id: string;
  kind: string;
}
/**
 * The context of the sample HIT; `brief` is the kind's particular demand.
 */
export interface Sample {
  id: string;
  title: string;
  text: string;
  brief: {
    [k: string]: unknown;
  };
}
/**
 * A newcomer's progress. `step` is the step at hand, with the kind's fields; `hit` is the sample HIT.
 */
export interface Screening {
  phase: "steps" | "sample" | "failed" | "submitted";
  steps: StepName[];
  steps_done: number;
  step: {
    [k: string]: unknown;
  } | null;
  sample: Sample | null;
  hit: {
    [k: string]: unknown;
  } | null;
  seconds_left: number;
}
