/** A question's words and sentences, as `wording.py` counts them; `wording.json` has examples that both agree on. */

const WORD = /\S+/gu;
const END = /[.!?]["'”’)\]]*(?=\s+["'“‘([]?[A-Z0-9])/gu;
const ABBREVIATION = /(?:^|[\s("'“‘])(?:[A-Z]|Mrs?|Ms|Dr|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|vs|ca?|Ph)\.$/u;
const NUMBER = /^(?:No|Op)\.\s+\d/u;

/** In UTF-16 units, as a text field counts. */
export interface Place {
  start: number;
  end: number;
}

export function words(text: string): Place[] {
  return [...text.matchAll(WORD)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
}

export function sentences(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(END)) {
    const isNumber = NUMBER.test(text.slice(Math.max(0, index - 2)));
    if (!isNumber && !ABBREVIATION.test(text.slice(start, index + 1))) {
      found.push(text.slice(start, index + end.length).trim());
      start = index + end.length;
    }
  }
  const last = text.slice(start).trim();
  return last === "" ? found : [...found, last];
}
