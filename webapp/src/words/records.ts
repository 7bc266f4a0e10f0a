/** Written by `make webapp` from beat_the_ai.words.served and beat_the_ai.words.markdown: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  PageWords: PageWords;
  Node: Node;
}
/**
 * The words of one language. A message is a text that is shown as it stands, or a list of formatjs's elements.
 *
 * Pages have no parser of messages: it is as large as all else that they need of the library.
 */
export interface PageWords {
  language: string;
  direction: "ltr" | "rtl";
  messages: {
    [k: string]: string | unknown[];
  };
  texts: {
    [k: string]: Node[];
  };
}
/**
 * An element with its children, or a text (its `tag` is empty). Headings begin at h2, below the form's title.
 */
export interface Node {
  tag: string;
  text: string;
  href: string | null;
  children: Node[];
}
