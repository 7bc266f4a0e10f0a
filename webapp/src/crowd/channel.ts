/**
 * The page's WebSocket: remote procedure calls that survive lost connections, a heartbeat, the agent's status.
 *
 * `mephisto-task` loses calls that were under way when a connection broke, and gives up after a minute. Here a call stays
 * pending until it is answered and is sent again, with the same ids, over every new connection. Of `latest` calls of one
 * procedure the newest answer alone is wanted: older ones are not sent again, and are answered as overtaken.
 */

import { Backoff } from "./backoff";
import { newId } from "./ids";
import { type Answer, type Call, OVERTAKEN, type Packet, type Problem, clientTimestamp } from "./packets";
import { say } from "../words/say";
import { told } from "../words/told";

export type Connection = "connecting" | "connected" | "service away" | "reconnecting" | "refused";

export interface ChannelState {
  connection: Connection;
  /** The agent's status as the operator last told it: "in task", "expired", "completed" and so on. */
  status: string;
  /** A call has waited for its answer for longer than usual. */
  slow: boolean;
}

export interface Credentials {
  agent_id: string;
  agent_secret: string;
}

export interface CallOptions {
  latest?: boolean;
}

interface Pending {
  call: Call;
  since: number;
  latest: boolean;
  resolve: (answer: Answer<never>) => void;
}

export type OpenSocket = (url: string) => WebSocket;

const HEARTBEAT_MS = 5_000;
const BEATS_WITHOUT_ANSWER = 3;
const ANSWER_MS = 2_000; // that a beat takes at most; then nobody is told any more that there is a connection
const DOUBTFUL_ANSWER_MS = 700; // where the browser says that it has no network
const SLOW_MS = 5_000;
const UNAUTHORISED = 4401;
const OPEN = 1;
const GIVEN_WAY: Problem = { code: OVERTAKEN, field: null, message: "A newer call of this page took its place." };

export class Channel {
  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private readonly listeners = new Set<() => void>();
  private readonly backoff: Backoff;
  private current: ChannelState = { connection: "connecting", status: "none", slow: false };
  private unansweredBeats = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private doubt: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly credentials: Credentials,
    private readonly openSocket: OpenSocket = (address) => new WebSocket(address),
    backoff: Backoff = new Backoff(),
  ) {
    this.backoff = backoff;
  }

  /** Connects, and stays connected until `close`. */
  open(): void {
    this.pulse = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.connect();
  }

  close(): void {
    clearInterval(this.pulse);
    clearTimeout(this.retry);
    this.drop();
  }

  /** Asks whether the connection is still there: the browser says that it has no network, and may be wrong. */
  check(): void {
    this.settle();
    this.ask(DOUBTFUL_ANSWER_MS);
  }

  /** Tries at once instead of waiting for the next turn, for instance when the browser says that it is online again. */
  wake(): void {
    if (this.current.connection === "reconnecting") {
      clearTimeout(this.retry);
      this.connect();
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): ChannelState => this.current;

  /** Calls a procedure on the server. Resolves with its answer, however long that takes; never rejects. */
  call<Result>(
    target: string,
    args: Readonly<Record<string, unknown>>,
    { latest = false }: CallOptions = {},
  ): Promise<Answer<Result>> {
    const id = newId();
    const call: Call = { request_id: id, update_id: id, target, args: JSON.stringify(args) };
    return new Promise((resolve) => {
      this.pending.set(id, { call, since: Date.now(), latest, resolve: resolve as (answer: Answer<never>) => void });
      if (this.socket?.readyState !== OPEN) {
        this.giveWay();
      }
      this.sendCall(call);
    });
  }

  private connect(): void {
    this.drop();
    const socket = this.openSocket(this.url);
    this.socket = socket;
    this.unansweredBeats = 0;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.heard(socket, event.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.settle();
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  private opened(): void {
    this.send("alive", { agent_secret: this.credentials.agent_secret });
    this.giveWay();
    for (const { call } of this.pending.values()) {
      this.sendCall(call);
    }
    this.ask();
  }

  private closed(socket: WebSocket, code: number): void {
    if (socket !== this.socket) {
      return;
    }
    this.socket = null;
    this.settle();
    if (code === UNAUTHORISED) {
      clearInterval(this.pulse);
      this.update({ connection: "refused" });
    } else {
      this.update({ connection: "reconnecting" });
      this.retry = setTimeout(() => this.connect(), this.backoff.next());
    }
  }

  private beat(): void {
    this.update({ slow: this.isSlow() });
    // Beats are counted rather than seconds: browsers slow the timers of pages in the background down.
    if (this.socket !== null && this.unansweredBeats >= BEATS_WITHOUT_ANSWER) {
      const silent = this.socket;
      this.drop();
      this.socket = silent;
      this.closed(silent, 0);
    } else {
      this.unansweredBeats += 1;
      this.ask();
    }
  }

  /** A heartbeat. A page that hears nothing for a while does not claim to be connected; it gives up the socket later. */
  private ask(patience = ANSWER_MS): void {
    if (this.socket?.readyState === OPEN) {
      this.send("heartbeat", {});
      this.doubt ??= setTimeout(() => this.update({ connection: "reconnecting" }), patience);
    }
  }

  private settle(): void {
    clearTimeout(this.doubt);
    this.doubt = undefined;
  }

  private isSlow(): boolean {
    return [...this.pending.values()].some(({ since }) => Date.now() - since > SLOW_MS);
  }

  private heard(socket: WebSocket, text: unknown): void {
    const packet = readPacket(text);
    if (socket !== this.socket || packet === null) {
      return;
    }
    this.unansweredBeats = 0;
    this.backoff.reset();
    this.settle();
    const { data } = packet;
    if (packet.packet_type === "client_bound_live_update") {
      this.answered(String(data.handles), data.response);
    } else if (packet.packet_type === "update_status" || packet.packet_type === "heartbeat") {
      const status = typeof data.status === "string" ? data.status : this.current.status;
      this.update({ connection: data.operator === false ? "service away" : "connected", status });
    } else if (packet.packet_type === "log_error") {
      console.warn("The server complains:", data.message);
    }
  }

  private answered(requestId: string, response: unknown): void {
    const waiting = this.pending.get(requestId);
    this.pending.delete(requestId); // an answer that comes twice finds nobody waiting
    this.update({ slow: this.isSlow() });
    waiting?.resolve(readAnswer(response));
  }

  /** Of `latest` calls those that are not their procedure's newest are over. */
  private giveWay(): void {
    const latest = [...this.pending.values()].filter((pending) => pending.latest);
    const newest = new Map(latest.map((pending) => [pending.call.target, pending]));
    for (const pending of latest) {
      if (newest.get(pending.call.target) !== pending) {
        this.pending.delete(pending.call.request_id);
        pending.resolve({ ok: false, error: GIVEN_WAY });
      }
    }
  }

  private sendCall(call: Call): void {
    this.send("mephisto_bound_live_update", { ...call });
  }

  private send(packetType: string, data: Packet["data"]): void {
    if (this.socket?.readyState === OPEN) {
      const packet: Packet = {
        packet_type: packetType,
        subject_id: this.credentials.agent_id,
        data,
        client_timestamp: clientTimestamp(),
      };
      this.socket.send(JSON.stringify(packet));
    }
  }

  private update(change: Partial<ChannelState>): void {
    const next = { ...this.current, ...change };
    const { connection, status, slow } = this.current;
    if (next.connection !== connection || next.status !== status || next.slow !== slow) {
      this.current = next;
      for (const listener of this.listeners) {
        listener();
      }
    }
  }
}

/** Where the router's socket is: the folder that the page itself lies in. */
export function socketUrl(page: string): string {
  const url = new URL(".", page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function readPacket(text: unknown): Packet | null {
  try {
    const packet = JSON.parse(String(text)) as Partial<Packet> | null;
    return packet?.packet_type ? ({ data: {}, ...packet } as Packet) : null;
  } catch {
    return null;
  }
}

function readAnswer(response: unknown): Answer<never> {
  try {
    const answer = JSON.parse(String(response)) as Answer<never> | null;
    if (answer !== null && typeof answer.ok === "boolean") {
      return answer.ok ? answer : { ok: false, error: { ...answer.error, message: told(answer.error) } };
    }
  } catch {
    // falls through to the one answer below
  }
  return { ok: false, error: { code: "internal", field: null, message: say("session.unreadable") } };
}
