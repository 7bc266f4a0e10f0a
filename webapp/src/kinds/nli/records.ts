/** Written by `make webapp` from beat_the_ai.kinds.nli.labels and beat_the_ai.kinds.nli.writing and beat_the_ai.kinds.nli.verification: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  Pair: Pair;
  Probabilities: Probabilities;
  Prediction: Prediction;
  Work: Work;
  Scores: Scores;
  Explanation: Explanation;
  Vote: Vote;
}
/**
 * The query to a model.
 */
export interface Pair {
  premise: string;
  hypothesis: string;
}
/**
 * They sum to 1.
 */
export interface Probabilities {
  entailment: number;
  neutral: number;
  contradiction: number;
}
/**
 * The most probable label; of equals the first in the order of `LABELS`.
 */
export interface Prediction {
  label: "entailment" | "neutral" | "contradiction";
  probabilities: Probabilities;
}
/**
 * A hypothesis, and the label that it was to have.
 */
export interface Work {
  hypothesis: string;
  /**
   * the label that the HIT asked for
   */
  target: ("entailment" | "neutral" | "contradiction") | null;
}
/**
 * The figures on which the verdict depended.
 */
export interface Scores {
  /**
   * the probability that the model gave the target label
   */
  target_probability: number;
  /**
   * the target's probability minus that of the most probable other label; below 0 the model is beaten
   */
  margin: number;
}
/**
 * Why the label is right, and the model was not ("HAMLET"; "Discussion").
 */
export interface Explanation {
  /**
   * why the target label is right
   */
  label_reason: string;
  /**
   * why the model may have been fooled
   */
  model_reason: string;
}
/**
 * A verifier's label, or why the hypothesis should have none.
 */
export interface Vote {
  label: ("entailment" | "neutral" | "contradiction") | null;
  /**
   * the reason why the example is bad; empty if there is a label
   */
  flag: ("not_a_statement" | "not_understandable" | "offensive" | "other") | null;
}
