import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Connection, type Snapshot } from "./connection";
import type { Hello, RoomState } from "./messages";

/** The other end of a socket, played by the test. */
class Line {
  static all: Line[] = [];
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen = () => {};
  onclose = () => {};
  onmessage = (_event: { data: string }) => {};

  constructor() {
    Line.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
    this.onclose();
  }

  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }

  welcome(state: object = {}): void {
    this.onopen();
    this.tell({ replies: [], state });
  }
}

const last = (): Line => Line.all.at(-1)!;
let seen: Snapshot[] = [];
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  Line.all = [];
  seen = [];
  const hello = (state: RoomState | null): Hello => ({ role: "spectator", room: state === null ? "new" : "again" });
  connection = new Connection(
    hello,
    (snapshot) => seen.push(snapshot),
    () => new Line() as unknown as WebSocket,
  );
});

afterEach(() => {
  connection.end();
  vi.useRealTimers();
});

describe("a connection", () => {
  it("puts the parts of the state together", () => {
    last().welcome({ match: 1, tossup: 1 });
    last().tell({ replies: [], state: { tossup: 2 } });
    expect(seen.at(-1)).toEqual({ state: { match: 1, tossup: 2 }, connected: true, problem: "" });
  });

  it("sends a command again, under the same key, until it is answered", async () => {
    last().welcome();
    const answered = connection.send({ act: "buzz", tossup: 3 });
    const [, first] = last().sent;
    last().close();
    expect(seen.at(-1)?.connected).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(Line.all).toHaveLength(2);
    last().welcome();
    expect(last().sent).toEqual([{ role: "spectator", room: "again" }, first]);
    last().tell({ replies: [{ key: first?.key, error: "too late" }], state: {} });
    expect(await answered).toBe("too late");
    last().close();
    vi.advanceTimersByTime(1_000);
    last().welcome();
    expect(last().sent).toHaveLength(1);
  });

  it("gives up a socket that does not answer", () => {
    last().welcome();
    const [line] = Line.all;
    vi.advanceTimersByTime(12_000);
    expect(line?.sent.at(-1)).toMatchObject({ act: "ping" });
    vi.advanceTimersByTime(7_000);
    expect(line?.closed).toBe(true);
    expect(Line.all.length).toBeGreaterThan(1);
  });

  it("does not come back to a server that does not let it in", () => {
    last().onopen();
    last().tell({ problem: "No team has this code." });
    last().close();
    vi.advanceTimersByTime(60_000);
    expect(Line.all).toHaveLength(1);
    expect(seen.at(-1)?.problem).toBe("No team has this code.");
  });
});
