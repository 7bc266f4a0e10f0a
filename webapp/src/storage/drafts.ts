/** Drafts in the browser, one per assignment, so that a reload or a crash loses no text. Old ones are swept out. */

import { browserStorage } from "./browserStorage";

const KEPT_MS = 14 * 24 * 3600 * 1000;

interface Stored<Draft> {
  draft: Draft;
  saved: number;
}

/**
 * `prefix` names the drafts of one kind of page, and `isDraft` knows them. `storage` is null where the browser forbids it,
 * for instance in a frame of another site; then nothing is kept.
 */
export class StoredDrafts<Draft> {
  private readonly key: string;

  constructor(
    private readonly prefix: string,
    assignment: string,
    private readonly isDraft: (value: unknown) => value is Draft,
    private readonly storage: Storage | null = browserStorage(),
    private readonly now: () => number = Date.now,
  ) {
    this.key = prefix + assignment;
    this.sweep();
  }

  load(): Draft | null {
    return this.read(this.key)?.draft ?? null;
  }

  /** Called in layout effects: what a page shows is kept before it is seen. */
  save(draft: Draft): void {
    const stored: Stored<Draft> = { draft, saved: this.now() };
    try {
      this.storage?.setItem(this.key, JSON.stringify(stored));
    } catch {
      // The storage is full or forbidden: the text is on the page all the same.
    }
  }

  remove(): void {
    this.storage?.removeItem(this.key);
  }

  private sweep(): void {
    for (const key of this.keys()) {
      const stored = this.read(key);
      if (key !== this.key && (stored === null || this.now() - stored.saved > KEPT_MS)) {
        this.storage?.removeItem(key);
      }
    }
  }

  private keys(): string[] {
    const { storage } = this;
    const names = storage === null ? [] : Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return names.filter((name) => name !== null).filter((name) => name.startsWith(this.prefix));
  }

  private read(key: string): Stored<Draft> | null {
    try {
      const stored = JSON.parse(this.storage?.getItem(key) ?? "null") as Stored<Draft> | null;
      return stored !== null && this.isDraft(stored.draft) ? stored : null;
    } catch {
      return null;
    }
  }
}
