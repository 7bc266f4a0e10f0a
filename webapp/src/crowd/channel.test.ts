import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Backoff } from "./backoff";
import { Channel, socketUrl } from "./channel";
import type { Packet } from "./packets";

class FakeSocket {
  readyState = 0;
  readonly sent: Packet[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {}

  send(text: string) {
    this.sent.push(JSON.parse(text) as Packet);
  }
  close() {
    this.readyState = 3;
  }
  accept() {
    this.readyState = 1;
    this.onopen?.();
  }
  deliver(packet_type: string, data: object) {
    this.onmessage?.({ data: JSON.stringify({ packet_type, subject_id: "7", data }) });
  }
  answer(call: Packet | undefined, response: object) {
    const data = { handles: call?.data.request_id, response: JSON.stringify(response), update_id: "u" };
    this.deliver("client_bound_live_update", data);
  }
  break(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  calls() {
    return this.sent.filter((packet) => packet.packet_type === "mephisto_bound_live_update");
  }
}

let sockets: FakeSocket[];
let channel: Channel;
const latest = () => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  const open = (url: string) => {
    sockets.push(new FakeSocket(url));
    return latest() as unknown as WebSocket;
  };
  const credentials = { agent_id: "7", agent_secret: "s3cret" };
  channel = new Channel("ws://crowd/", credentials, open, new Backoff(500, 10_000, () => 0.5));
  channel.open();
});

afterEach(() => {
  channel.close();
  vi.useRealTimers();
});

describe("the channel", () => {
  test("says who it is before anything else, then calls", () => {
    void channel.call("state", {});
    latest().accept();
    expect(latest().sent.map((packet) => packet.packet_type)).toEqual([
      "alive",
      "mephisto_bound_live_update",
      "heartbeat",
    ]);
    expect(latest().sent[0]).toMatchObject({ subject_id: "7", data: { agent_secret: "s3cret" } });
  });

  test("speaks Mephisto's packets", async () => {
    latest().accept();
    const answer = channel.call("submit_attempt", { question: "Who?" });
    const [call] = latest().calls();
    expect(Object.keys(call!).sort()).toEqual(["client_timestamp", "data", "packet_type", "subject_id"]);
    expect(call!.data).toMatchObject({ target: "submit_attempt", args: '{"question":"Who?"}' });
    latest().answer(call, { ok: true, wins: 1 });
    expect(await answer).toEqual({ ok: true, wins: 1 });
  });

  test("sends unanswered calls again after a reconnect, with the same ids, and answered ones never", async () => {
    latest().accept();
    const first = channel.call("state", {});
    const second = channel.call("submit_attempt", { question: "Who?" });
    const [answered, lost] = latest().calls();
    latest().answer(answered, { ok: true });
    await first;
    latest().break();
    expect(channel.state().connection).toBe("reconnecting");
    vi.advanceTimersByTime(600);
    latest().accept();
    expect(sockets).toHaveLength(2);
    expect(
      latest()
        .calls()
        .map((call) => call.data),
    ).toEqual([lost!.data]);
    latest().answer(lost, { ok: true, wins: 2 });
    expect(await second).toEqual({ ok: true, wins: 2 });
  });

  test("does not claim a connection over which nothing comes, and knows it again when something does", () => {
    latest().accept();
    latest().deliver("heartbeat", { status: "in task", operator: true });
    expect(channel.state().connection).toBe("connected");
    vi.advanceTimersByTime(5_000 + 2_000);
    expect(channel.state().connection).toBe("reconnecting");
    latest().deliver("heartbeat", { status: "in task", operator: true });
    expect(channel.state().connection).toBe("connected");
    expect(sockets).toHaveLength(1);
  });

  test("asks at once when the browser has no network, and believes the answer", () => {
    latest().accept();
    latest().deliver("heartbeat", { status: "in task", operator: true });
    channel.check();
    vi.advanceTimersByTime(600);
    latest().deliver("heartbeat", { status: "in task", operator: true });
    vi.advanceTimersByTime(900);
    expect(channel.state().connection).toBe("connected");
    channel.check();
    vi.advanceTimersByTime(900);
    expect(channel.state().connection).toBe("reconnecting");
    channel.wake();
    expect(sockets).toHaveLength(2);
  });

  test("says when an answer takes longer than usual", async () => {
    latest().accept();
    const answer = channel.call("retract", {});
    for (let second = 0; second < 12; second += 1) {
      vi.advanceTimersByTime(1000);
      latest().deliver("heartbeat", { status: "in task", operator: true });
    }
    expect(channel.state()).toMatchObject({ connection: "connected", slow: true });
    latest().answer(latest().calls()[0], { ok: true });
    await answer;
    expect(channel.state().slow).toBe(false);
  });

  test("sends of the latest calls of a procedure the newest again, and answers the others as overtaken", async () => {
    latest().accept();
    const first = channel.call("hint", { draft: "A" }, { latest: true });
    const second = channel.call("hint", { draft: "A b" }, { latest: true });
    const search = channel.call("look_up", { text: "b" }, { latest: true });
    void channel.call("submit_attempt", {});
    latest().answer(latest().calls()[0], { ok: true, hint: 1 }); // as long as the connection holds, both are answered
    expect(await first).toEqual({ ok: true, hint: 1 });
    latest().break();
    const third = channel.call("hint", { draft: "A b c" }, { latest: true });
    expect(await second).toMatchObject({ ok: false, error: { code: "overtaken" } });
    vi.advanceTimersByTime(600);
    latest().accept();
    expect(
      latest()
        .calls()
        .map(({ data }) => [data.target, data.args]),
    ).toEqual([
      ["look_up", '{"text":"b"}'],
      ["submit_attempt", "{}"],
      ["hint", '{"draft":"A b c"}'],
    ]);
    latest().answer(latest().calls()[2], { ok: true, hint: 3 });
    latest().answer(latest().calls()[0], { ok: true, answers: [] });
    expect([await third, await search]).toEqual([
      { ok: true, hint: 3 },
      { ok: true, answers: [] },
    ]);
  });

  test("leaves out what was overtaken while the connection was just breaking", async () => {
    latest().accept();
    const calls = ["A", "A b"].map((draft) => channel.call("hint", { draft }, { latest: true }));
    latest().break();
    vi.advanceTimersByTime(600);
    latest().accept();
    expect(await calls[0]).toMatchObject({ ok: false, error: { code: "overtaken" } });
    expect(
      latest()
        .calls()
        .map(({ data }) => data.args),
    ).toEqual(['{"draft":"A b"}']);
  });

  test("ignores an answer that comes twice", async () => {
    latest().accept();
    const answer = channel.call("state", {});
    const [call] = latest().calls();
    latest().answer(call, { ok: true, wins: 1 });
    latest().answer(call, { ok: true, wins: 9 });
    expect(await answer).toEqual({ ok: true, wins: 1 });
  });

  test("waits longer after every failure, and shortly again after a success", () => {
    for (const wait of [500, 1000, 2000]) {
      const before = sockets.length;
      latest().break();
      vi.advanceTimersByTime(wait - 1);
      expect(sockets).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(before + 1);
    }
    latest().accept();
    latest().deliver("heartbeat", { status: "in task", operator: true });
    latest().break();
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(5);
  });

  test("leaves a connection that has gone silent", () => {
    latest().accept();
    vi.advanceTimersByTime(25_000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  test("beats every five seconds and stays while it is answered", () => {
    latest().accept();
    for (let beat = 0; beat < 6; beat += 1) {
      vi.advanceTimersByTime(5_000);
      latest().deliver("heartbeat", { status: "in task", operator: true });
    }
    expect(sockets).toHaveLength(1);
    expect(latest().sent.filter((packet) => packet.packet_type === "heartbeat")).toHaveLength(7);
  });

  test("tells when the operator is away and when a status changes", () => {
    const changed = vi.fn();
    channel.subscribe(changed);
    latest().accept();
    latest().deliver("heartbeat", { status: "in task", operator: false });
    expect(channel.state()).toMatchObject({ connection: "service away", status: "in task" });
    latest().deliver("heartbeat", { status: "in task", operator: false });
    expect(changed).toHaveBeenCalledTimes(1);
    latest().deliver("update_status", { status: "expired" });
    expect(channel.state()).toMatchObject({ connection: "connected", status: "expired" });
  });

  test("does not try again when its secret is refused", () => {
    latest().accept();
    latest().break(4401);
    vi.advanceTimersByTime(60_000);
    expect(channel.state().connection).toBe("refused");
    expect(sockets).toHaveLength(1);
  });

  test("comes back at once when the browser is online again", () => {
    latest().break();
    channel.wake();
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(600);
    expect(sockets).toHaveLength(2);
  });

  test("turns an unreadable answer into an error, and survives unreadable packets", async () => {
    latest().accept();
    latest().onmessage?.({ data: "}{" });
    const answer = channel.call("state", {});
    const handles = latest().calls()[0]!.data.request_id;
    latest().deliver("client_bound_live_update", { handles, response: "}{" });
    expect(await answer).toMatchObject({ ok: false, error: { code: "internal" } });
  });
});

test("the socket lies beside the page, whatever its address", () => {
  expect(socketUrl("http://localhost:3000/?worker_id=x#top")).toBe("ws://localhost:3000/");
  expect(socketUrl("https://crowd.org/runs/7/index.html?a=b")).toBe("wss://crowd.org/runs/7/");
});
