import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Answer } from "../crowd/packets";
import { Hints, type Memories, type Memory, PAUSE_MS } from "./hints";

interface Draft {
  text: string;
}
interface Sent {
  edit_key: string;
  draft: Draft;
  cause: string;
}

class Server {
  readonly sent: Sent[] = [];
  readonly answers: ((answer: Answer<never>) => void)[] = [];

  call = <Result>(target: string, args: Readonly<Record<string, unknown>>, options: object) => {
    expect([target, options]).toEqual(["hint", { latest: true }]);
    this.sent.push(args as unknown as Sent);
    return new Promise<Answer<Result>>((resolve) => this.answers.push(resolve));
  };
  async say(number: number, answer: object = { ok: true, hint: `of ${number}` }) {
    this.answers[number]!(answer as Answer<never>);
    await vi.advanceTimersByTimeAsync(0);
  }
  causes() {
    return this.sent.map(({ cause, draft }) => [cause, draft.text]);
  }
}

class Kept implements Memories<Draft> {
  memory: Memory<Draft> | null = null;
  load = () => this.memory;
  save = (memory: Memory<Draft>) => {
    this.memory = memory;
  };
}

let server: Server;
let kept: Kept;
let hints: Hints<Draft, string>;
const begin = () => new Hints<Draft, string>(server, "c1", ({ text }) => text, kept);
const type = (text: string) => hints.edited({ text });
const pause = () => vi.advanceTimersByTimeAsync(PAUSE_MS);
const failure = (code: string, more: object = {}) => ({ ok: false, error: { code, field: null, message: "m", ...more } });

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  kept = new Kept();
  hints = begin();
});
afterEach(() => void vi.useRealTimers());

test("a draft is sent after a pause, and not before", async () => {
  type("This");
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  type("This river");
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(server.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.causes()).toEqual([["pause", "This river"]]);
  type("This river");
  await pause();
  expect(server.sent).toHaveLength(1); // nothing changed
});

test("every five words it is sent at once, whether they come, go or are pasted", () => {
  const text = "This river of the south west flows into a bay";
  for (let end = 1; end <= text.length; end += 1) {
    type(text.slice(0, end));
  }
  type("This river of ");
  type("This river of a b c d e f g h i ");
  expect(server.causes()).toEqual([
    ["words", "This river of the south "],
    ["words", "This river of a b c d e f g h i "],
  ]);
});

test("the newest answer is shown with the draft that it is about, and an older one never after it", async () => {
  type("a b c d e ");
  type("a b c d e f g h i j ");
  await server.say(0);
  expect(hints.state()).toMatchObject({ newest: { draft: { text: "a b c d e " }, shown: "of 0" }, waiting: true });
  type("a b c d e f g h i j k l m n o ");
  await server.say(2);
  await server.say(1);
  expect(hints.state()).toMatchObject({ newest: { shown: "of 2" }, waiting: false });
});

test("what was overtaken is no problem, and anything else is one until the next answer", async () => {
  type("a b c d e ");
  type("a b c d e f g h i j ");
  await server.say(0, failure("overtaken"));
  expect(hints.state()).toMatchObject({ newest: null, waiting: true, problem: null });
  await server.say(1, failure("invalid"));
  expect(hints.state()).toMatchObject({ waiting: false, problem: { code: "invalid" } });
  hints.request();
  await server.say(2);
  expect(hints.state()).toMatchObject({ newest: { shown: "of 2" }, problem: null });
});

test("a model that is busy is asked again under the same key, unless something newer is", async () => {
  type("a");
  await pause();
  await server.say(0, failure("busy", { retry_after_seconds: 2 }));
  await vi.advanceTimersByTimeAsync(2000);
  expect(server.sent[1]).toEqual(server.sent[0]);
  await server.say(1, failure("busy", { retry_after_seconds: 2 }));
  type("a b");
  await vi.advanceTimersByTimeAsync(5000);
  expect(server.causes().slice(2)).toEqual([["pause", "a b"]]);
});

test("once the work is submitted nothing is asked, and what comes late changes nothing", async () => {
  type("a b c d e ");
  await server.say(0);
  type("a b c d e f");
  await pause();
  hints.edited(null);
  await server.say(1);
  hints.request();
  await pause();
  expect(server.sent).toHaveLength(2);
  expect(hints.state()).toMatchObject({ newest: { shown: "of 0" }, waiting: false });
  type("a b c d e f");
  await pause();
  expect(server.sent).toHaveLength(3); // its answer was dropped
});

test("hints that are switched off come on demand alone, also after a reload", async () => {
  hints.setAutomatic(false);
  hints = begin();
  type("a b c d e f g ");
  await pause();
  expect([server.sent, hints.state().automatic]).toEqual([[], false]);
  hints.request();
  expect(server.causes()).toEqual([["request", "a b c d e f g "]]);
  hints.setAutomatic(true);
  await pause();
  expect(server.sent).toHaveLength(1); // it is on its way already
});

test("a reload asks for the same again under its key, and goes on from there", async () => {
  type("a");
  await pause();
  hints = begin();
  hints.resume();
  type("a");
  await pause();
  expect(server.sent).toHaveLength(2);
  expect(server.sent[1]).toEqual(server.sent[0]);
  await server.say(1);
  expect(hints.state().newest).toEqual({ draft: { text: "a" }, shown: "of 1" });
});

test("a page that was never asked takes nothing up", () => {
  hints.resume();
  expect(server.sent).toEqual([]);
});
