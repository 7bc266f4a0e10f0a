/** The words of the page, from the server that serves it, before anything is drawn. */

import { Backoff, sleep } from "../crowd/backoff";
import { chosenLanguage } from "./languages";
import type { PageWords } from "./records";
import { speak } from "./say";

/** Returns when the page can speak. Tries until the server answers; `onWait` is called after each try in vain. */
export async function loadWords(onWait: () => void, backoff = new Backoff()): Promise<void> {
  for (;;) {
    const words = await requested(chosenLanguage());
    if (words !== null) {
      speak(words);
      document.documentElement.lang = words.language;
      document.documentElement.dir = words.direction;
      return;
    }
    onWait();
    await sleep(backoff.next());
  }
}

async function requested(language: string): Promise<PageWords | null> {
  try {
    const response = await fetch(`words/${language}.json`, { cache: "no-cache" });
    return response.ok ? ((await response.json()) as PageWords) : null;
  } catch {
    return null; // no answer, or half of one
  }
}
