/**
 * Marking with the pointer: drag with a mouse or a pen, or use a phone's selection handles; what the browser has selected
 * becomes the answer once the pointer is up or the handles rest.
 */

import { type RefObject, useEffect, useEffectEvent } from "react";

import { type Stretch, selectedStretch } from "./selection";

const HANDLES_REST_MS = 600;

/** `mark` says whether it has taken the stretch; otherwise the browser's selection is left alone. */
export function useSelectionMarking(passage: RefObject<HTMLElement | null>, mark: (stretch: Stretch) => boolean): void {
  const read = useEffectEvent((removeSelection: boolean) => {
    const selection = document.getSelection();
    const stretch = passage.current && selectedStretch(passage.current, selection);
    if (stretch && mark(stretch) && removeSelection) {
      selection?.removeAllRanges(); // our own highlight takes its place
    }
  });
  useEffect(() => {
    let pointerIsDown = false;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const down = () => {
      pointerIsDown = true;
    };
    const up = (event: PointerEvent) => {
      pointerIsDown = false;
      if (event.pointerType !== "touch") {
        setTimeout(() => read(true)); // a click collapses the selection only after this event
      }
    };
    const changed = () => {
      clearTimeout(resting);
      resting = setTimeout(() => pointerIsDown || read(false), HANDLES_REST_MS);
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
