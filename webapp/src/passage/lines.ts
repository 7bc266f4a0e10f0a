/** Words above, below and beside a word, by where they stand on the screen. */

/** The words of the next line in `direction`, above or below the line of `from`. */
function nextLine(from: DOMRect, boxes: readonly Boxed[], direction: 1 | -1): Boxed[] {
  const beyond = boxes.filter(({ box }) => (direction === 1 ? box.top >= from.bottom - 1 : box.bottom <= from.top + 1));
  const line =
    direction === 1 ? Math.min(...beyond.map(({ box }) => box.top)) : Math.max(...beyond.map(({ box }) => box.top));
  return beyond.filter(({ box }) => Math.abs(box.top - line) < box.height / 2);
}

interface Boxed {
  element: Element;
  box: DOMRect;
}

const boxed = (elements: readonly Element[]): Boxed[] =>
  elements.map((element) => ({ element, box: element.getBoundingClientRect() }));

/** The element of `candidates` in the next line in `direction` whose middle is closest to that of `from`. */
export function inNextLine(from: Element, candidates: readonly Element[], direction: 1 | -1): Element | null {
  const here = from.getBoundingClientRect();
  const middle = (here.left + here.right) / 2;
  const distance = ({ left, right }: DOMRect) => Math.abs((left + right) / 2 - middle);
  const nearest = nextLine(here, boxed(candidates), direction).sort((a, b) => distance(a.box) - distance(b.box));
  return nearest[0]?.element ?? null;
}

/**
 * The element of `candidates` that stands beside `from`, to the right or to the left, whichever way it is read. Where
 * the line ends there, the outermost one of the line that is read before or after it; `isForward` says which.
 */
export function beside(
  from: Element,
  candidates: readonly Element[],
  side: "right" | "left",
  isForward: boolean,
): Element | null {
  const here = from.getBoundingClientRect();
  const boxes = boxed(candidates);
  const rightmostLast = (a: Boxed, b: Boxed) => a.box.left - b.box.left;
  const line = boxes
    .filter(({ element, box }) => element !== from && Math.abs(box.top - here.top) < here.height / 2)
    .filter(({ box }) => (side === "right" ? box.left >= here.right - 1 : box.right <= here.left + 1))
    .sort(rightmostLast);
  const beyond = nextLine(here, boxes, isForward ? 1 : -1).sort(rightmostLast);
  const next = side === "right" ? (line[0] ?? beyond[0]) : (line.at(-1) ?? beyond.at(-1));
  return next?.element ?? null;
}
