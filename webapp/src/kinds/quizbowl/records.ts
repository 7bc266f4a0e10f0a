/** Written by `make webapp` from beat_the_ai.kinds.quizbowl.guesses and beat_the_ai.kinds.quizbowl.writing and beat_the_ai.kinds.quizbowl.playing: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  Query: Query;
  Guess: Guess;
  Turn: Turn;
  Mark: Mark;
  Evidence: Evidence;
  Prediction: Prediction;
  Work: Work;
  Scores: Scores;
  Play: Play;
}
/**
 * A question as far as it is written. `answer` is the page whose rank is wanted, `names` are what people call it.
 *
 * A model must use neither for its guesses: they tell which of them is right. `stops` are numbers of words after which
 * the best guess is wanted, of a model that is not asked after every word, too.
 */
export interface Query {
  text: string;
  answer: string;
  names: string[];
  /**
   * @maxItems 4
   */
  stops: number[];
}
/**
 * A page, and the model's confidence in it: over all pages it sums to 1.
 */
export interface Guess {
  page: string;
  confidence: number;
}
/**
 * From the `word`-th word on (counted from 1) this is the best guess.
 */
export interface Turn {
  word: number;
  page: string;
  /**
   * when that many words are read
   */
  confidence: number;
}
/**
 * A stretch of a text, in code points.
 */
export interface Mark {
  start: number;
  end: number;
}
/**
 * The evidence of the best guess for one sentence of the question: a text of that page, and the shared words.
 */
export interface Evidence {
  sentence: Mark;
  page: string;
  text: string;
  /**
   * what kind of text it is, as in quizbowl or wikipedia
   */
  source: string;
  /**
   * in the question
   */
  matches: Mark[];
  /**
   * in the evidence's text
   */
  highlights: Mark[];
}
/**
 * A model's prediction for a whole question; nothing of one without words.
 */
export interface Prediction {
  /**
   * the best five, the best first
   */
  guesses: Guess[];
  /**
   * of the question's answer, from 1; none where the model does not know it
   */
  rank: number | null;
  /**
   * the best guess in the course of the question, where it changes
   */
  turns: Turn[];
  /**
   * in the best guess after each word; 0 before the first
   */
  confidences: number[];
  /**
   * for each sentence that has any
   */
  evidence: Evidence[];
  /**
   * what each word speaks for the best guess; none where nothing tells
   */
  saliency: number[];
}
/**
 * A question and its answer.
 */
export interface Work {
  text: string;
  /**
   * the page of the answer
   */
  answer: string;
}
/**
 * The figures on which the verdict depended.
 */
export interface Scores {
  /**
   * of the question
   */
  words: number;
  /**
   * the word at which the best guess is first right; none: it never is, or it was not kept
   */
  first_right: number | null;
  /**
   * the word from which on the best guess stays right; none: it is wrong at the end
   */
  right_from: number | null;
  /**
   * of the answer among the guesses at the end; none: the model does not know it
   */
  rank: number | null;
}
/**
 * A player's answer, and its moment.
 */
export interface Play {
  /**
   * none where the player gave up
   */
  said: string | null;
  /**
   * of the answer on the category's list that is called so
   */
  page: string | null;
  /**
   * of the question that were shown before it
   */
  words: number;
}
