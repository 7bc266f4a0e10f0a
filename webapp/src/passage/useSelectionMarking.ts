/**
 * Marking with the pointer: drag with a mouse or a pen, or use a phone's selection handles; what the browser has selected
 * becomes the answer once the pointer is up or the handles rest.
 */

import { type RefObject, useEffect, useEffectEvent } from "react";

import { type Stretch, draggedStretch, selectedStretch } from "./selection";

const HANDLES_REST_MS = 600;
const DRAG_PIXELS = 4;

/** Where a pointer went down: the word, and the place on the screen. */
interface Press {
  word: Element | null;
  x: number;
  y: number;
}

/** `mark` says whether it has taken the stretch; otherwise the browser's selection is left alone. */
export function useSelectionMarking(passage: RefObject<HTMLElement | null>, mark: (stretch: Stretch) => boolean): void {
  const handlesRest = useEffectEvent(() => {
    const stretch = passage.current && selectedStretch(passage.current, document.getSelection());
    if (stretch) {
      mark(stretch);
    }
  });
  const released = useEffectEvent((press: Press, event: PointerEvent) => {
    const selection = document.getSelection();
    const stretch =
      passage.current && (selectedStretch(passage.current, selection) ?? dragged(passage.current, press, event));
    if (stretch && mark(stretch)) {
      selection?.removeAllRanges(); // our own highlight takes its place
    }
  });
  useEffect(() => {
    let press: Press | null = null;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const down = (event: PointerEvent) => {
      press = { word: wordAt(event), x: event.clientX, y: event.clientY };
    };
    const up = (event: PointerEvent) => {
      const started = press;
      press = null;
      if (started !== null && event.pointerType !== "touch" && event.type === "pointerup") {
        setTimeout(() => released(started, event)); // a click collapses the selection only after this event
      }
    };
    const changed = () => {
      clearTimeout(resting);
      resting = setTimeout(() => press !== null || handlesRest(), HANDLES_REST_MS);
    };
    document.addEventListener("pointerdown", down);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", up);
    document.addEventListener("selectionchange", changed);
    return () => {
      clearTimeout(resting);
      document.removeEventListener("pointerdown", down);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", up);
      document.removeEventListener("selectionchange", changed);
    };
  }, []);
}

function dragged(passage: Element, press: Press, event: PointerEvent): Stretch | null {
  const word = wordAt(event);
  const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= DRAG_PIXELS;
  return moved && press.word && word ? draggedStretch(passage, press.word, word) : null;
}

function wordAt(event: PointerEvent): Element | null {
  return event.target instanceof Element ? event.target.closest("[data-token]") : null;
}
