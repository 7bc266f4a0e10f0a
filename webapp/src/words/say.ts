/**
 * What the page says, in the language of its reader. The words come from the server before anything is drawn, and stay:
 * another language is another load of the page. So `say` may be called by any function, but by no module on its way in.
 */

import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";

import type { Node, PageWords } from "./records";
import type { Messages, Tagged, TextName } from "./messages";

export type Key = keyof Messages;
export type Plain = Exclude<Key, Tagged>;
export type Arguments<K extends Key> = keyof Messages[K] extends never ? [] : [args: Messages[K]];

let catalogue: PageWords | null = null;
const formats = new Map<string, IntlMessageFormat>();

export function speak(words: PageWords): void {
  catalogue = words;
  formats.clear();
}

/** Puts words in the place of some of the page's; nothing drawn before is drawn anew. */
export function overlay({ messages, texts }: Pick<PageWords, "messages" | "texts">): void {
  const words = spoken();
  speak({ ...words, messages: { ...words.messages, ...messages }, texts: { ...words.texts, ...texts } });
}

function spoken(): PageWords {
  if (catalogue === null) {
    throw new Error("The page has no words yet.");
  }
  return catalogue;
}

export function language(): string {
  return spoken().language;
}

export function direction(): "ltr" | "rtl" {
  return spoken().direction;
}

/** Whether the page has a message. */
export function isKnown(key: string): key is Key {
  return Object.hasOwn(spoken().messages, key);
}

/** A message without tags. */
export function say<K extends Plain>(key: K, ...[args]: Arguments<K>): string {
  const format = formatOf(key);
  return typeof format === "string" ? format : String(format.format(args as Record<string, string | number | Date>));
}

/** The nodes of a Markdown file. */
export function text(name: TextName): readonly Node[] {
  return spoken().texts[name] ?? [];
}

/** A message that is shown as it stands, or its format. */
export function formatOf(key: Key): string | IntlMessageFormat {
  const { messages, language: tag } = spoken();
  const message = messages[key] ?? key;
  if (typeof message === "string") {
    return message;
  }
  let format = formats.get(key);
  if (format === undefined) {
    format = new IntlMessageFormat(message as MessageFormatElement[], tag);
    formats.set(key, format);
  }
  return format;
}
