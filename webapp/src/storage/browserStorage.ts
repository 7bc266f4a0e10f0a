/** The browser's storage, or null where the browser forbids it, for instance in a frame of another site. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
