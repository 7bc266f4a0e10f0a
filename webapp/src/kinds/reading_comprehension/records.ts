/** Written by `make webapp` from beat_the_ai.kinds.reading_comprehension.writing and beat_the_ai.kinds.reading_comprehension.answerability: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  Span: Span;
  Work: Work;
  Query: Query;
  Prediction: Prediction;
  Scores: Scores;
  _Reference: _Reference;
  _Record: _Record;
  Vote: Vote;
}
/**
 * A stretch of the passage.
 */
export interface Span {
  text: string;
  /**
   * the start of the answer in the passage, in Unicode code points
   */
  start: number;
}
/**
 * A question and the span of the passage that answers it.
 */
export interface Work {
  question: string;
  answer: Span;
}
/**
 * The query to a model.
 */
export interface Query {
  context: string;
  question: string;
}
/**
 * The model's answer and its confidence. A model that gives spans answers with one; others may say anything.
 */
export interface Prediction {
  text: string;
  /**
   * the start of the answer in the passage, in Unicode code points; -1 if it is not in the passage
   */
  start: number;
  /**
   * the model's confidence, 0 to 1; empty if it gives none
   */
  score: number | null;
}
/**
 * The figures on which the verdict depended. Attempts of long ago do not tell the threshold.
 */
export interface Scores {
  /**
   * word-overlap F1 of the model's answer and the writer's
   */
  f1: number;
  /**
   * the F1 up to which the model is beaten
   */
  f1_threshold: number | null;
}
/**
 * A question that is known beforehand, with its answer; whatever else a file says of it is kept.
 */
export interface _Reference {
  question: string;
  answer: Span;
  gold: boolean;
  [k: string]: unknown;
}
/**
 * A record of a file of passages.
 */
export interface _Record {
  id: string;
  context: string;
  title: string;
  questions: _Reference[];
  [k: string]: unknown;
}
/**
 * A validator's answer; None says that the question cannot be answered from the passage.
 */
export interface Vote {
  answer: Span | null;
}
