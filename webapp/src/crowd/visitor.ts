/**
 * People who come without a crowd (Mephisto's `mock` provider). The browser keeps their name and, for each run, the HIT
 * that they are at and those that they have submitted.
 */

import { browserStorage } from "../storage/browserStorage";
import { newId } from "./ids";
import { registration } from "./provider";

const COOKIE = "beat-the-ai-worker";
const KEPT_SECONDS = 365 * 24 * 3600;

interface Hits {
  at: string | null;
  submitted: readonly string[];
}

/** The name in the address, or the one that was chosen before. */
export function visitorName(): string | null {
  return registration().worker_name || nameInCookie();
}

/** Every stage of a campaign has a port of its own, and cookies do not know ports: one name for all of them. */
export function keepName(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not there without HTTPS
  document.cookie = `${COOKIE}=${encodeURIComponent(name)}; max-age=${KEPT_SECONDS}; path=/; SameSite=Strict`;
  addToAddress({ worker_id: name });
}

function nameInCookie(): string | null {
  const pair = document.cookie.split("; ").find((each) => each.startsWith(`${COOKIE}=`));
  try {
    return pair ? decodeURIComponent(pair.slice(COOKIE.length + 1)) || null : null;
  } catch {
    return null; // somebody else wrote it
  }
}

/** The HITs of one visitor in one run. */
export class VisitorHits {
  private readonly key: string;

  constructor(
    run: unknown,
    private readonly name: string,
    private readonly storage: Storage | null = browserStorage(),
  ) {
    this.key = `beat-the-ai:hits:${String(run)}:${name}`;
  }

  /** Completes the address: with the HIT that is begun, or a new one. */
  open(): void {
    const hits = this.read();
    const at = registration().assignment_id ?? hits.at ?? newId();
    this.write({ ...hits, at: hits.submitted.includes(at) ? null : at });
    addToAddress({ worker_id: this.name, assignment_id: at });
  }

  /** Returns how many were submitted in this browser. */
  submit(assignment: string): number {
    const submitted = [...new Set([...this.read().submitted, assignment])];
    this.write({ at: null, submitted });
    return submitted.length;
  }

  /** The HIT at hand is over without a submission, or somebody else's. */
  leave(): void {
    this.write({ ...this.read(), at: null });
  }

  private read(): Hits {
    try {
      const { at, submitted } = JSON.parse(this.storage?.getItem(this.key) ?? "{}") as Partial<Hits>;
      return { at: at ?? null, submitted: Array.isArray(submitted) ? submitted : [] };
    } catch {
      return { at: null, submitted: [] };
    }
  }

  private write(hits: Hits): void {
    try {
      this.storage?.setItem(this.key, JSON.stringify(hits));
    } catch {
      // It is full or forbidden: then every bare address is a new HIT.
    }
  }
}

/** Where the next HIT is: this page's address without an assignment. */
export function nextAddress(name: string | null): string {
  return `${location.pathname}${name === null ? "" : `?worker_id=${encodeURIComponent(name)}`}`;
}

function addToAddress(names: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(names)) {
    query.set(name, value);
  }
  history.replaceState(null, "", `${location.pathname}?${query}`);
}
