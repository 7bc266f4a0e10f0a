/**
 * Reads questions word by word: each word is asked for when it is its turn, and the page has none before.
 *
 * A word that was on its way when the player buzzed is shown all the same: the server counts it.
 */

import type { Answer, Problem } from "../../crowd/packets";
import type { Revealed } from "./plays";

/** Milliseconds a word; moderators read about three words a second. */
export const PACES = { slow: 500, normal: 330, fast: 220 } as const;

export type Pace = keyof typeof PACES;

export interface ReaderState {
  /** By item. */
  shown: Readonly<Record<string, Revealed>>;
  /** The item that is being read. */
  reading: string | null;
  pace: Pace;
  problem: Problem | null;
}

interface Caller {
  call: <Result>(target: string, args: Readonly<Record<string, unknown>>) => Promise<Answer<Result>>;
}

export class Reader {
  private current: ReaderState;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts readings: what belongs to an earlier one asks for no more words. */
  private run = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly desk: Caller,
    shown: Readonly<Record<string, Revealed>>,
  ) {
    this.current = { shown, reading: null, pace: "normal", problem: null };
  }

  readonly state = (): ReaderState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  setPace(pace: Pace): void {
    this.update({ pace });
  }

  start(item: string): void {
    if (this.current.reading === item || this.current.shown[item]?.ended) {
      return;
    }
    this.stop();
    this.update({ reading: item, problem: null });
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
    const began = performance.now();
    const steps = (this.current.shown[item]?.words ?? 0) + 1;
    const reply = await this.desk.call<{ revealed: Revealed }>("reveal", { item_id: item, steps });
    if (reply.ok) {
      this.update({ shown: { ...this.current.shown, [item]: reply.revealed } });
    }
    if (run !== this.run) {
      return;
    }
    if (!reply.ok) {
      this.update({ reading: null, problem: reply.error });
    } else if (reply.revealed.ended) {
      this.stop();
    } else {
      const wait = began + PACES[this.current.pace] - performance.now();
      this.timer = setTimeout(() => void this.next(item, run), Math.max(0, wait));
    }
  }

  private update(change: Partial<ReaderState>): void {
    this.current = { ...this.current, ...change };
    this.listeners.forEach((listener) => listener());
  }
}
