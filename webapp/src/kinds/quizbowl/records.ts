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
   * the confidence at that word
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
   * the kind of text, such as quizbowl or wikipedia
   */
  source: string;
  /**
   * the matching places in the question
   */
  matches: Mark[];
  /**
   * the matching places in the evidence
   */
  highlights: Mark[];
}
/**
 * A model's prediction for a whole question; nothing of one without words.
 */
export interface Prediction {
  /**
   * the five best guesses, best first
   */
  guesses: Guess[];
  /**
   * the rank of the answer, from 1; empty if the model does not know it
   */
  rank: number | null;
  /**
   * the best guess at each word where it changes
   */
  turns: Turn[];
  /**
   * the confidence in the best guess after each word; 0 before the first guess
   */
  confidences: number[];
  /**
   * the evidence for each sentence that has any
   */
  evidence: Evidence[];
  /**
   * each word's contribution to the best guess; empty if it is not known
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
   * the number of words of the question
   */
  words: number;
  /**
   * the word at which the best guess is first right; empty if it never is, or was not kept
   */
  first_right: number | null;
  /**
   * the word from which on the best guess stays right; empty if it is wrong at the end
   */
  right_from: number | null;
  /**
   * the rank of the answer at the end; empty if the model does not know it
   */
  rank: number | null;
}
/**
 * A player's answer, and its moment.
 */
export interface Play {
  /**
   * the player's answer; empty if they gave up
   */
  said: string | null;
  /**
   * the page of the answer of that name in the category's list
   */
  page: string | null;
  /**
   * the number of words shown before the answer
   */
  words: number;
}
