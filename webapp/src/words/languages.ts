/** The language of a page: the reader's choice among those that the campaign offers, else the campaign's own. */

import { browserStorage } from "../storage/browserStorage";

const KEPT = "language";
const IN_ADDRESS = "lang";

/** From `<meta name="languages">`, which the server writes; a page without it is in English alone. */
export function offeredLanguages(page: Document = document): string[] {
  const content = page.querySelector<HTMLMetaElement>('meta[name="languages"]')?.content ?? "en";
  return content.split(" ");
}

/** `?lang=` wins, as where a reader chose on the page that led here, and is kept. */
export function chosenLanguage(offered: readonly string[] = offeredLanguages(), address: string = location.search): string {
  const asked = new URLSearchParams(address).get(IN_ADDRESS);
  if (asked !== null && offered.includes(asked)) {
    browserStorage()?.setItem(KEPT, asked);
    return asked;
  }
  const kept = browserStorage()?.getItem(KEPT) ?? null;
  return kept !== null && offered.includes(kept) ? kept : offered[0]!;
}

/** Takes effect with the next load of the page. */
export function chooseLanguage(tag: string): void {
  browserStorage()?.setItem(KEPT, tag);
}

/** As those who speak it call it. */
export function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag; // made up
  }
}
