/** Drafts in the browser, one per assignment, so that a reload or a crash loses no text. Old ones are swept out. */

import { browserStorage } from "../../storage/browserStorage";
import type { Draft } from "./work";

const PREFIX = "beat-the-ai:draft:";
const KEPT_MS = 14 * 24 * 3600 * 1000;

interface Stored {
  draft: Draft;
  saved: number;
}

/** `storage` is null where the browser forbids it, for instance in a frame of another site; then nothing is kept. */
export class Drafts {
  private readonly key: string;

  constructor(
    assignment: string,
    private readonly storage: Storage | null = browserStorage(),
    private readonly now: () => number = Date.now,
  ) {
    this.key = PREFIX + assignment;
    this.sweep();
  }

  load(): Draft | null {
    return this.read(this.key)?.draft ?? null;
  }

  save(draft: Draft): void {
    const stored: Stored = { draft, saved: this.now() };
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
    return names.filter((name): name is string => name !== null && name.startsWith(PREFIX));
  }

  private read(key: string): Stored | null {
    try {
      const stored = JSON.parse(this.storage?.getItem(key) ?? "null") as Stored | null;
      return stored !== null && isDraft(stored.draft) ? stored : null;
    } catch {
      return null;
    }
  }
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  const answered =
    draft?.answer === null || (typeof draft?.answer?.text === "string" && Number.isInteger(draft.answer.start));
  return typeof draft?.question === "string" && typeof draft.typed === "string" && answered;
}
