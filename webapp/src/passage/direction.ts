const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs from the right, as its first letter does (Unicode Standard Annex #9, P2 and P3). */
export function isFromRight(text: string): boolean {
  const letter = text.match(/\p{L}/u)?.[0];
  return letter !== undefined && FROM_RIGHT.test(letter);
}
