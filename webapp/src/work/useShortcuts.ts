/** The page's keyboard shortcuts. No single-letter keys while somebody types, none at all under a dialog. */

import { useEffect, useEffectEvent } from "react";

import { dialogIsOpen } from "../dialog/Dialog";

export interface Shortcuts {
  submit: () => void;
  help: () => void;
}

export function useShortcuts({ submit, help }: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (dialogIsOpen()) {
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "?" && !isTyping(event.target)) {
      event.preventDefault();
      help();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}
