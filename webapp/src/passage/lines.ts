/** Words above and below, by where they stand on the screen. */

/** The element of `candidates` in the next line in `direction` whose middle is closest to that of `from`. */
export function inNextLine(from: Element, candidates: readonly Element[], direction: 1 | -1): Element | null {
  const here = from.getBoundingClientRect();
  const middle = (here.left + here.right) / 2;
  const beyond = candidates
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => (direction === 1 ? box.top >= here.bottom - 1 : box.bottom <= here.top + 1));
  const line =
    direction === 1 ? Math.min(...beyond.map(({ box }) => box.top)) : Math.max(...beyond.map(({ box }) => box.top));
  const distance = ({ left, right }: DOMRect) => Math.abs((left + right) / 2 - middle);
  const nearest = beyond
    .filter(({ box }) => Math.abs(box.top - line) < box.height / 2)
    .sort((a, b) => distance(a.box) - distance(b.box));
  return nearest[0]?.element ?? null;
}
