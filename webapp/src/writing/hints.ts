/**
 * What the model says of a draft while its writer types: asked for after a pause, after every few words, or on demand.
 *
 * Nothing waits for it. A draft that a newer one overtakes is forgotten; what is said after the writer submitted, or
 * after something newer was said, is dropped.
 */

import type { CallOptions } from "../crowd/channel";
import { newId } from "../crowd/ids";
import { type Answer, OVERTAKEN, type Problem } from "../crowd/packets";
import { StoredDrafts } from "../storage/drafts";

export type Cause = "pause" | "words" | "request";

/** `draft` is what it was said of. */
export interface Hint<Draft, Shown> {
  draft: Draft;
  shown: Shown;
}

export interface HintState<Draft, Shown> {
  newest: Hint<Draft, Shown> | null;
  /** A newer one is on its way. */
  waiting: boolean;
  problem: Problem | null;
  /** Whether hints come by themselves. */
  automatic: boolean;
}

/** What a reload takes up again. The same key gets the same answer, whatever came after it. */
export interface Memory<Draft> {
  asked: { key: string; draft: Draft; cause: Cause } | null;
  automatic: boolean;
}

export type Memories<Draft> = Pick<StoredDrafts<Memory<Draft>>, "load" | "save">;

interface Caller {
  call: <Result>(
    target: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ) => Promise<Answer<Result>>;
}

export const PAUSE_MS = 700;
export const WORDS = 5;

export class Hints<Draft, Shown> {
  private current: HintState<Draft, Shown>;
  private memory: Memory<Draft>;
  private draft: Draft | null = null;
  /** The newest draft that was sent or is answered; null once its answer is not wanted any more. */
  private known: Draft | null = null;
  private sent = 0;
  private settled = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  /** `textOf` is what the writer types of a draft. */
  constructor(
    private readonly desk: Caller,
    private readonly contextId: string,
    private readonly textOf: (draft: Draft) => string,
    private readonly memories: Memories<Draft>,
  ) {
    this.memory = memories.load() ?? { asked: null, automatic: true };
    this.current = { newest: null, waiting: false, problem: null, automatic: this.memory.automatic };
  }

  readonly state = (): HintState<Draft, Shown> => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Asks again for what was asked last before the page was loaded anew. */
  resume(): void {
    const { asked } = this.memory;
    if (asked !== null) {
      void this.send(asked.draft, asked.cause, asked.key);
    }
  }

  /** What stands in the editor; null as long as there is nothing to ask about, or nobody may. */
  edited(draft: Draft | null): void {
    clearTimeout(this.timer);
    this.draft = draft;
    if (draft === null) {
      this.settled = this.sent;
      this.known = this.current.newest?.draft ?? null;
      this.update({ waiting: false, problem: null });
    } else if (this.current.automatic && !same(draft, this.known)) {
      const since = Math.abs(this.complete(draft) - (this.known === null ? 0 : this.complete(this.known)));
      if (since >= WORDS) {
        void this.send(draft, "words");
      } else {
        this.timer = setTimeout(() => void this.send(draft, "pause"), PAUSE_MS);
      }
    }
  }

  request(): void {
    if (this.draft !== null) {
      void this.send(this.draft, "request");
    }
  }

  setAutomatic(automatic: boolean): void {
    this.remember({ automatic });
    this.update({ automatic });
    this.edited(this.draft);
  }

  private async send(draft: Draft, cause: Cause, key = newId()): Promise<void> {
    clearTimeout(this.timer);
    this.known = draft;
    this.remember({ asked: { key, draft, cause } });
    const number = ++this.sent;
    this.update({ waiting: true });
    const args = { edit_key: key, context_id: this.contextId, draft, cause };
    const reply = await this.desk.call<{ hint: Shown }>("hint", args, { latest: true });
    if (number <= this.settled) {
      return;
    }
    if (reply.ok) {
      this.settled = number;
      this.update({ newest: { draft, shown: reply.hint }, waiting: number < this.sent, problem: null });
    } else if (number === this.sent) {
      this.settled = number;
      this.update({ waiting: false, problem: reply.error.code === OVERTAKEN ? null : reply.error });
      if (reply.error.retry_after_seconds !== undefined && same(draft, this.draft)) {
        this.timer = setTimeout(() => void this.send(draft, cause, key), reply.error.retry_after_seconds * 1000);
      }
    }
  }

  /** Words with white space after them: a word is no word before it ends. */
  private complete(draft: Draft): number {
    return this.textOf(draft).match(/\S+(?=\s)/gu)?.length ?? 0;
  }

  private remember(change: Partial<Memory<Draft>>): void {
    this.memory = { ...this.memory, ...change };
    this.memories.save(this.memory);
  }

  private update(change: Partial<HintState<Draft, Shown>>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) {
      listener();
    }
  }
}

/** Where a browser keeps what a reload takes up again. */
export function memoriesOf<Draft>(
  assignment: string,
  isDraft: (value: unknown) => value is Draft,
): Memories<Draft> {
  return new StoredDrafts("beat-the-ai:hint:", assignment, (value): value is Memory<Draft> => {
    const { asked, automatic } = (value ?? {}) as Partial<Memory<Draft>>;
    return typeof automatic === "boolean" && (asked === null || (typeof asked?.key === "string" && isDraft(asked.draft)));
  });
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
