/**
 * Single-letter keys: none while somebody types, none under a dialog, none with Ctrl, Alt or ⌘. They can be switched off
 * (WCAG 2.1.4): who speaks to the machine would set them off by chance.
 */

import { useEffect, useEffectEvent } from "react";

import { dialogIsOpen } from "../src/design/dialog/Dialog";
import { browserStorage } from "../src/storage/browserStorage";

export type Keys = Readonly<Record<string, () => void>>;

export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) {
      return;
    }
    if (keysAreOn() && !dialogIsOpen() && !isTyping(event.target)) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

const OFF = "review:keys-off";

export function keysAreOn(): boolean {
  return browserStorage()?.getItem(OFF) !== "yes";
}

export function switchKeys(on: boolean): void {
  if (on) {
    browserStorage()?.removeItem(OFF);
  } else {
    browserStorage()?.setItem(OFF, "yes");
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}
