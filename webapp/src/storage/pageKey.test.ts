import { expect, test } from "vitest";

import { pageKey } from "./pageKey";

class Memory {
  readonly items = new Map<string, string>();
  getItem = (name: string) => this.items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.items.set(name, value);
}

test("a registration has one key for ever, and no other has it", () => {
  const storage = new Memory() as unknown as Storage;
  const key = pageKey("a-w", storage);
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(pageKey("a-w", storage)).toBe(key);
  expect(pageKey("b-w", storage)).not.toBe(key);
});

test("a browser that keeps nothing has no key", () => {
  const full = { getItem: () => null, setItem: () => { throw new Error("full"); } } as unknown as Storage; // prettier-ignore
  expect(pageKey("a-w", full)).toBeUndefined();
  expect(pageKey("a-w", null)).toBeUndefined();
});
