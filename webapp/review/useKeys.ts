/** Single-letter keys: none while somebody types, none under a dialog, none with Ctrl, Alt or ⌘. */

import { useEffect, useEffectEvent } from "react";

import { dialogIsOpen } from "../src/dialog/Dialog";

export type Keys = Readonly<Record<string, () => void>>;

export function useKeys(keys: Keys): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) {
      return;
    }
    if (!dialogIsOpen() && !isTyping(event.target)) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}
