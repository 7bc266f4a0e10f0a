/** The state of a page's hints, and the newest of them only now and then, for those who listen. */

import { useEffect, useRef, useState, useSyncExternalStore } from "react";

import type { HintState, Hints } from "./hints";

const SPEAK_MS = 5_000;

export function useHints<Draft, Shown>(hints: Hints<Draft, Shown>): HintState<Draft, Shown> {
  return useSyncExternalStore(hints.subscribe, hints.state);
}

/** The newest `text`, changed every five seconds at most: live regions that chatter are switched off. */
export function useSpoken(text: string): string {
  const [spoken, speak] = useState(text);
  const last = useRef(-Infinity);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        speak(text);
      },
      Math.max(0, last.current + SPEAK_MS - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return spoken;
}
