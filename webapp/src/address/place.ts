/** The place in a page of many: the title of the browser's tab, and the focus of whoever comes there. */

import { type RefObject, useEffect, useRef } from "react";

/**
 * Name the place that is shown. Its main part takes the focus if what had it is gone: a link that led here, or the form
 * of a sign-in, by which somebody `hasEntered`.
 */
export function usePlace(place: string, title: string, hasEntered: boolean): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const last = useRef(hasEntered ? null : place);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (last.current !== place && document.activeElement === document.body) {
      main.current?.focus();
      scrollTo(0, 0);
    }
    last.current = place;
  }, [place]);
  return main;
}
