/** Which tours were taken in this browser. */

import { browserStorage } from "../../storage/browserStorage";

/** For browsers that keep nothing: no tour comes up twice on one page. */
const takenHere = new Set<string>();

export function isTaken(guide: string, storage: Storage | null = browserStorage()): boolean {
  return takenHere.has(guide) || (storage?.getItem(key(guide)) ?? null) !== null;
}

export function rememberTour(guide: string, storage: Storage | null = browserStorage()): void {
  takenHere.add(guide);
  try {
    storage?.setItem(key(guide), "taken");
  } catch {
    // A full storage: the tour will come up again at the next HIT, which does no harm.
  }
}

function key(guide: string): string {
  return `beat-the-ai:tour:${guide}`;
}
