/**
 * Reads questions word by word: each word is asked for when it is its turn, and the page has none before.
 *
 * A word that was on its way when the player buzzed is shown all the same: the server counts it.
 */

import type { Answer, Problem } from "../../crowd/packets";
import { browserStorage } from "../../storage/browserStorage";
import type { Revealed } from "./plays";

/** Milliseconds a word; moderators read about three words a second. Null: the player asks for each word. */
export const PACES = { slow: 500, normal: 330, fast: 220, "word by word": null } as const;

export type Pace = keyof typeof PACES;

const PACE_KEY = "beat-the-ai:reading-speed";

function keptPace(): Pace {
  const kept = browserStorage()?.getItem(PACE_KEY) ?? "";
  return Object.hasOwn(PACES, kept) ? (kept as Pace) : "normal";
}

export interface ReaderState {
  /** By item. */
  shown: Readonly<Record<string, Revealed>>;
  /** The item that is being read. */
  reading: string | null;
  pace: Pace;
  /** The item that could not be read on, and why. */
  failed: { item: string; problem: Problem } | null;
}

interface Caller {
  call: <Result>(target: string, args: Readonly<Record<string, unknown>>) => Promise<Answer<Result>>;
}

export class Reader {
  private current: ReaderState;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts readings: what belongs to an earlier one asks for no more words. */
  private run = 0;
  /** A word is on its way. */
  private asking = false;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly desk: Caller,
    shown: Readonly<Record<string, Revealed>>,
    /** Whether the player could not buzz now: then no word comes. */
    private readonly isAway: () => boolean = () => false,
  ) {
    this.current = { shown, reading: null, pace: keptPace(), failed: null };
  }

  readonly state = (): ReaderState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  setPace(pace: Pace): void {
    this.update({ pace });
    try {
      browserStorage()?.setItem(PACE_KEY, pace);
    } catch {
      // The storage is full or forbidden: the speed holds for this HIT.
    }
  }

  /** Whether a question is being read, and has begun. */
  canBuzz(): boolean {
    const { reading, shown } = this.current;
    return reading !== null && shown[reading] !== undefined;
  }

  /** The next word, where each is asked for. */
  step(): void {
    const { reading, pace } = this.current;
    if (reading !== null && PACES[pace] === null && !this.asking) {
      void this.next(reading, this.run);
    }
  }

  start(item: string): void {
    if (this.current.reading === item || this.current.shown[item]?.ended) {
      return;
    }
    this.stop();
    this.update({ reading: item, failed: null });
    void this.next(item, this.run);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.run += 1;
    if (this.current.reading !== null) {
      this.update({ reading: null });
    }
  }

  private async next(item: string, run: number): Promise<void> {
    if (this.isAway()) {
      this.stop();
      return;
    }
    const began = performance.now();
    const steps = (this.current.shown[item]?.words ?? 0) + 1;
    this.asking = true;
    const reply = await this.desk.call<{ revealed: Revealed }>("reveal", { item_id: item, steps });
    this.asking = false;
    const isCurrent = run === this.run;
    if (!reply.ok) {
      this.update({ reading: isCurrent ? null : this.current.reading, failed: { item, problem: reply.error } });
      return;
    }
    this.update({ shown: { ...this.current.shown, [item]: reply.revealed } });
    const wait = PACES[this.current.pace];
    if (isCurrent && reply.revealed.ended) {
      this.stop();
    } else if (isCurrent && wait !== null) {
      this.timer = setTimeout(() => void this.next(item, run), Math.max(0, began + wait - performance.now()));
    }
  }

  private update(change: Partial<ReaderState>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) {
      listener();
    }
  }
}
