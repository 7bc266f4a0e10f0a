const FADE_PX = 40; // at its lower edge, as long as there is more

/** Scrolls a passage that scrolls in itself, and nothing else, until the word can be seen. */
export function reveal(word: Element, passage: Element): void {
  const { top, bottom } = word.getBoundingClientRect();
  const frame = passage.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom - FADE_PX) {
    passage.scrollTop += top - frame.top - frame.height / 3;
  }
}
