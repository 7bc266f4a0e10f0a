/** The page's keyboard shortcuts. No single keys while somebody types, none at all under a dialog. */

import { useEffect, useEffectEvent } from "react";

import { dialogIsOpen } from "../design/dialog/Dialog";
import type { Shortcut } from "../design/shortcuts/ShortcutList";

const TYPED_INTO = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSED_BY_SPACE = "button, input, summary";

export function useShortcuts(submit: () => void, help: () => void, shortcuts: readonly Shortcut[]): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const run = dialogIsOpen() || event.repeat ? undefined : actionOf(event);
    if (run && run() !== false) {
      event.preventDefault();
    }
  });
  const actionOf = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
    const modified = ctrlKey || metaKey;
    if (modified && key === "Enter") {
      return submit;
    }
    if (matches(target, TYPED_INTO) || (key === " " && matches(target, PRESSED_BY_SPACE))) {
      return undefined;
    }
    if (key === "?") {
      return help;
    }
    return modified || altKey ? undefined : shortcuts.find(([keys, , run]) => run && keys.includes(key))?.[2];
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function matches(target: EventTarget | null, selector: string): boolean {
  return target instanceof HTMLElement && target.matches(selector);
}
