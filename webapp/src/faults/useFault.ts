import { useEffect, useEffectEvent } from "react";

import { FAULTS } from "./faults";

/** Calls `undo` after an error that no handler has caught: it takes back what such a handler may have left wrong. */
export function useFault(undo: () => void): void {
  const react = useEffectEvent(undo);
  useEffect(() => FAULTS.subscribe(() => react()), []);
}
