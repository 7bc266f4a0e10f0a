import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Answer } from "../../crowd/packets";
import type { Revealed } from "./plays";
import { PACES, Reader } from "./reader";

const WORDS = ["Call", "me", "Ishmael."];

/** Answers at once, or when `answer` is called. */
class Server {
  readonly asked: number[] = [];
  private waiting: (() => void)[] = [];
  held = false;

  call = <Result>(_target: string, args: Readonly<Record<string, unknown>>): Promise<Answer<Result>> => {
    const steps = Number(args.steps);
    this.asked.push(steps);
    const revealed: Revealed = {
      text: WORDS.slice(0, steps).join(" "),
      words: steps,
      ended: steps === WORDS.length,
    };
    const reply = { ok: true, revealed } as unknown as Answer<Result>;
    return new Promise((resolve) => (this.held ? this.waiting.push(() => resolve(reply)) : resolve(reply)));
  };

  answer(): void {
    for (const each of this.waiting.splice(0)) {
      each();
    }
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turns = (count: number) => vi.advanceTimersByTimeAsync(count * PACES.normal);

test("words come one by one, at the pace, until the end", async () => {
  const server = new Server();
  const reader = new Reader(server, {});
  reader.start("a");
  await turns(0);
  expect(reader.state().shown.a?.text).toBe("Call");
  await turns(1);
  expect(reader.state().shown.a?.text).toBe("Call me");
  await turns(5);
  expect(reader.state()).toMatchObject({ reading: null, shown: { a: { ended: true } } });
  expect(server.asked).toEqual([1, 2, 3]);
  reader.start("a");
  expect(reader.state().reading).toBeNull();
});

test("whoever buzzes is asked for no more words, and sees the one that was on its way", async () => {
  const server = new Server();
  const reader = new Reader(server, {});
  reader.start("a");
  await turns(0);
  server.held = true;
  await turns(1);
  reader.stop();
  server.answer();
  await turns(5);
  expect(reader.state()).toMatchObject({ reading: null, shown: { a: { words: 2 } } });
  expect(server.asked).toEqual([1, 2]);
});

test("reading goes on where it was left, also after a reload", async () => {
  const server = new Server();
  const reader = new Reader(server, { a: { text: "Call me", words: 2, ended: false } });
  reader.start("a");
  await turns(0);
  expect(server.asked).toEqual([3]);
});

test("another question stops the one before", async () => {
  const server = new Server();
  const reader = new Reader(server, {});
  reader.start("a");
  await turns(0);
  reader.start("b");
  await turns(2);
  expect(reader.state().shown.a?.words).toBe(1);
});

test("a refusal ends the reading and is shown", async () => {
  const error = { code: "refused", field: null, message: "The time for this task is over." };
  const reader = new Reader({ call: () => Promise.resolve({ ok: false, error }) }, {});
  reader.start("a");
  await turns(0);
  expect(reader.state()).toMatchObject({ reading: null, failed: { item: "a", problem: error } });
});

test("a failure is told even to somebody who has buzzed meanwhile, and only of that question", async () => {
  const error = { code: "internal", field: null, message: "The service is away." };
  let fail: (() => void) | undefined;
  const call = () => new Promise<never>((resolve) => (fail = () => resolve({ ok: false, error } as never)));
  const reader = new Reader({ call }, {});
  reader.start("a");
  reader.stop();
  fail?.();
  await turns(0);
  expect(reader.state()).toMatchObject({ reading: null, failed: { item: "a", problem: error } });
  reader.start("b");
  expect(reader.state()).toMatchObject({ reading: "b", failed: null });
});

test("there is nothing to buzz at before the first word", async () => {
  const server = new Server();
  server.held = true;
  const reader = new Reader(server, {});
  reader.start("a");
  await turns(1);
  expect(reader.canBuzz()).toBe(false);
  server.answer();
  await turns(0);
  expect(reader.canBuzz()).toBe(true);
  reader.stop();
  expect(reader.canBuzz()).toBe(false);
});

test("no word comes while the player could not buzz", async () => {
  const server = new Server();
  let away = false;
  const reader = new Reader(server, {}, () => away);
  reader.start("a");
  await turns(0);
  away = true;
  await turns(3);
  expect(server.asked).toEqual([1]);
  expect(reader.state().reading).toBeNull();
});

test("word by word, each is asked for once, and a speed that was chosen is kept", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const server = new Server();
  const reader = new Reader(server, {});
  reader.step();
  reader.setPace("word by word");
  reader.start("a");
  await turns(9);
  expect(server.asked).toEqual([1]);
  reader.step();
  reader.step();
  await turns(9);
  expect(server.asked).toEqual([1, 2]);
  expect(new Reader(server, {}).state().pace).toBe("word by word");
  kept.set("beat-the-ai:reading-speed", "toString");
  expect(new Reader(server, {}).state().pace).toBe("normal");
  vi.unstubAllGlobals();
});

test("a speed can be chosen where the browser keeps nothing", () => {
  const full = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: full });
  const reader = new Reader(new Server(), {});
  reader.setPace("slow");
  expect(reader.state().pace).toBe("slow");
  vi.unstubAllGlobals();
});
