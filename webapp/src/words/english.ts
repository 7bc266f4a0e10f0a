/** The English words, as they lie in the source: for pages of requesters, which load no other, and for tests. */

import { parse } from "@formatjs/icu-messageformat-parser";

import { speak } from "./say";

const FILES = {
  ...import.meta.glob<Record<string, string>>("../../../src/beat_the_ai/words/page/en/*.json", {
    eager: true,
    import: "default",
  }),
  ...import.meta.glob<Record<string, string>>("../../../src/beat_the_ai/kinds/*/words/en/*.json", {
    eager: true,
    import: "default",
  }),
};

/** `more` are other files of English words by their paths. */
export function speakEnglish(more: typeof FILES = {}): void {
  const messages: Record<string, unknown[]> = {};
  for (const [path, area] of Object.entries({ ...FILES, ...more })) {
    const name = path.slice(path.lastIndexOf("/") + 1, -".json".length);
    for (const [key, message] of Object.entries(area)) {
      messages[`${name}.${key}`] = parse(message, { shouldParseSkeletons: true });
    }
  }
  speak({ language: "en", direction: "ltr", messages, texts: {} });
}
