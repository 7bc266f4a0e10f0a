import { newId } from "../crowd/ids";
import { browserStorage } from "./browserStorage";

/**
 * The key by which this browser proves that a session is its own, where no crowd vouches for the worker: drawn at the
 * first registration and kept. A browser that keeps nothing has none, and its session is whoever's knows the names.
 */
export function pageKey(registration: string, storage: Storage | null = browserStorage()): string | undefined {
  const name = `beat-the-ai:key:${registration}`;
  try {
    const stored = storage?.getItem(name);
    if (stored) {
      return stored;
    }
    const key = newId();
    storage?.setItem(name, key);
    return storage === null ? undefined : key;
  } catch {
    return undefined;
  }
}
