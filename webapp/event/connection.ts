/**
 * A socket that comes back by itself. A command goes under a key of its own, and is sent again under the same key until
 * it is answered: whatever died in between, it happens once.
 */

import { Backoff } from "../src/crowd/backoff";
import { newId } from "../src/crowd/ids";
import { type Told, told } from "../src/words/told";
import type { Command, Hello, Message, RoomState } from "./messages";

const UNANSWERED_MS = 5_000; // after which a socket counts as dead
const QUIET_MS = 10_000; // after which it is asked whether it lives
const LOOK_MS = 1_000;

/** `problem`: the server does not let this page in, and it does not try again. */
export interface Snapshot {
  state: RoomState | null;
  connected: boolean;
  problem: string;
}

interface Waiting {
  text: string;
  since: number;
  ping: boolean;
  answer: (error: string | null) => void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private snapshot: Snapshot = { state: null, connected: false, problem: "" };
  private heardAt = 0;
  private ended = false;
  private readonly waiting = new Map<string, Waiting>();
  private readonly backoff = new Backoff(250, 3_000);
  private readonly looking: ReturnType<typeof setInterval>;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly hello: (last: RoomState | null) => Hello,
    private readonly onChange: (snapshot: Snapshot) => void,
    private readonly dial: () => WebSocket,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.looking = setInterval(() => this.look(), LOOK_MS);
    this.connect();
  }

  /** Resolves with the reason where it was refused. */
  send(command: Command): Promise<string | null> {
    const key = newId();
    return new Promise((answer) => {
      const text = JSON.stringify({ ...command, key });
      this.waiting.set(key, { text, since: this.now(), ping: command.act === "ping", answer });
      if (this.snapshot.connected) {
        this.socket?.send(text);
      }
    });
  }

  end(): void {
    this.ended = true;
    clearInterval(this.looking);
    clearTimeout(this.retry);
    this.socket?.close();
  }

  private connect(): void {
    const socket = this.dial();
    this.socket = socket;
    this.heardAt = this.now();
    socket.onopen = () => socket.send(JSON.stringify(this.hello(this.snapshot.state)));
    socket.onmessage = (event) => {
      if (socket === this.socket) {
        this.hear(JSON.parse(String(event.data)) as Message);
      }
    };
    socket.onclose = () => {
      if (socket === this.socket) {
        this.lose();
      }
    };
  }

  private hear(message: Message): void {
    this.heardAt = this.now();
    if ("problem" in message) {
      this.end();
      this.change({ problem: told({ message: message.problem, said: message.said as Told["said"] }), connected: false });
      return;
    }
    const isFirst = !this.snapshot.connected;
    for (const { key, error, said } of message.replies) {
      this.waiting.get(key)?.answer(error === null ? null : told({ message: error, said: said as Told["said"] }));
      this.waiting.delete(key);
    }
    this.change({ state: { ...this.snapshot.state, ...message.state } as RoomState, connected: true });
    if (isFirst) {
      this.backoff.reset();
      for (const waiting of this.waiting.values()) {
        waiting.since = this.now();
        this.socket?.send(waiting.text);
      }
    }
  }

  private lose(): void {
    this.socket = null;
    for (const [key, waiting] of this.waiting) {
      if (waiting.ping) {
        this.waiting.delete(key);
      }
    }
    if (!this.ended) {
      this.change({ connected: false });
      this.retry = setTimeout(() => this.connect(), this.backoff.next());
    }
  }

  /** A phone does not notice that its connection is dead: ask, and give up one that does not answer. */
  private look(): void {
    const { socket } = this;
    if (socket === null) {
      return;
    }
    const now = this.now();
    const isDead = this.snapshot.connected
      ? [...this.waiting.values()].some((waiting) => now - waiting.since > UNANSWERED_MS)
      : now - this.heardAt > UNANSWERED_MS;
    if (isDead) {
      this.lose();
      socket.close();
    } else if (this.snapshot.connected && now - this.heardAt > QUIET_MS && this.waiting.size === 0) {
      void this.send({ act: "ping" });
    }
  }

  private change(changes: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...changes };
    this.onChange(this.snapshot);
  }
}
