/** What the browser's own selection means in the passage, in UTF-16 positions of its text. */

export interface Stretch {
  from: number;
  to: number;
}

/**
 * The part of the selection that lies in `passage`; null if there is none, or if it merely runs across the passage from
 * outside to outside ("select all").
 */
export function selectedStretch(passage: Element, selection: Selection | null): Stretch | null {
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) {
    return null;
  }
  return stretchOf(passage, selection.getRangeAt(0));
}

/**
 * From one word to another one, in either order. Chromium sometimes loses the start of a drag (at positions between two
 * pixels), so that nothing is selected although the pointer went from here to there.
 */
export function draggedStretch(passage: Element, pressed: Element, released: Element): Stretch | null {
  const precedes = pressed.compareDocumentPosition(released) & Node.DOCUMENT_POSITION_PRECEDING;
  const range = document.createRange();
  range.setStart(precedes ? released : pressed, 0);
  range.setEndAfter(precedes ? pressed : released);
  return stretchOf(passage, range);
}

function stretchOf(passage: Element, range: Range): Stretch | null {
  const startsInside = passage.contains(range.startContainer);
  const endsInside = passage.contains(range.endContainer);
  if (!startsInside && !endsInside) {
    return null;
  }
  const length = passage.textContent.length;
  const from = startsInside ? unitsBefore(passage, range.startContainer, range.startOffset) : 0;
  const to = endsInside ? unitsBefore(passage, range.endContainer, range.endOffset) : length;
  return from < to ? { from, to } : null;
}

function unitsBefore(passage: Element, node: Node, offset: number): number {
  const before = document.createRange();
  before.selectNodeContents(passage);
  before.setEnd(node, offset);
  return before.toString().length;
}
