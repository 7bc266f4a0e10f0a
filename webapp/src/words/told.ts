/** What a server says to the worker: by messages of the page where it names them, so in the reader's language. */

import { type Plain, isKnown, say } from "./say";

/** A message by its key, with arguments; without a key, `text` stands for itself. */
export interface Sentence {
  key?: string;
  arguments?: Readonly<Record<string, string | number>>;
  text?: string;
}

/** `message` is in English, for pages that do not know the messages, and for what has none. */
export interface Told {
  message: string;
  said?: readonly Sentence[] | undefined;
}

export function told({ message, said }: Told): string {
  if (said === undefined || !said.every(({ key }) => key === undefined || isKnown(key))) {
    return message;
  }
  return said.map(({ key, arguments: given = {}, text = "" }) => (key === undefined ? text : sayGiven(key, given))).join(" ");
}

function sayGiven(key: string, given: NonNullable<Sentence["arguments"]>): string {
  return (say as (key: Plain, given: object) => string)(key as Plain, given);
}
