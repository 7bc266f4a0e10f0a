import { expect, test, vi } from "vitest";

import { Faults } from "./faults";

const ORIGIN = "http://127.0.0.1:1";

function watched() {
  const source = new EventTarget();
  const faults = new Faults(ORIGIN);
  faults.watch(source as unknown as Window);
  const fail = (type: "error" | "unhandledrejection", error: unknown) =>
    source.dispatchEvent(Object.assign(new Event(type), type === "error" ? { error } : { reason: error }));
  return { faults, fail };
}

function ours(message: string): Error {
  return Object.assign(new Error(message), { stack: `at submit (${ORIGIN}/bundle.js:1:2)` });
}

test("errors of the page are counted, told and reported; those from before as soon as they can be", () => {
  const { faults, fail } = watched();
  const [listener, report] = [vi.fn(), vi.fn()];
  faults.subscribe(listener);
  fail("error", ours("first"));
  faults.reportTo(report);
  fail("unhandledrejection", ours("second"));
  expect([faults.seen(), listener.mock.calls.length]).toEqual([2, 2]);
  expect(report.mock.calls.map(([text]) => String(text).split("\n")[0])).toEqual(["first", "second"]);
});

test("errors of other scripts, and what is no error, are let be", () => {
  const { faults, fail } = watched();
  fail("error", new Error("of an extension"));
  fail("error", null); // ResizeObserver loop
  fail("unhandledrejection", "a text");
  expect(faults.seen()).toBe(0);
});

test("so many are reported, and no more", () => {
  const { faults, fail } = watched();
  const report = vi.fn();
  faults.reportTo(report);
  for (let number = 0; number < 30; number += 1) {
    fail("error", ours("x".repeat(9000)));
  }
  expect(report).toHaveBeenCalledTimes(10);
  expect(String(report.mock.calls[0]?.[0])).toHaveLength(2000);
  expect(faults.seen()).toBe(30);
});
