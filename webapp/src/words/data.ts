/**
 * The language of the texts that are worked on, and of what is written about them: a setting of its own. It is set once,
 * before a HIT is shown; the sample of a preview is in the page's language.
 */

import { language } from "./say";

interface Data {
  language: string;
  direction: "ltr" | "rtl";
}

export interface OfData {
  lang: string;
  dir: "auto" | "rtl";
}

let data: Data | null = null;

/** `given` is the part `data` of `task_config.json`. */
export function workOn(given: unknown): void {
  const known = given as Partial<Data> | null | undefined;
  data = typeof known?.language === "string" ? { language: known.language, direction: known.direction ?? "ltr" } : null;
}

/**
 * The attributes of a text of the data. Where it is written from the left, a text that begins in another direction may have
 * that; where it is written from the right, a name in Latin letters at the beginning turns nothing around.
 */
export function ofData(): OfData {
  return { lang: data?.language ?? language(), dir: data?.direction === "rtl" ? "rtl" : "auto" };
}

/** Whether rules for English apply to the data. */
export function isEnglish(): boolean {
  return /^en\b/.test(ofData().lang);
}
