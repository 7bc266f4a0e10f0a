import { expect, test } from "vitest";

import { Drafts } from "./drafts";
import { EMPTY_DRAFT } from "./work";

class FakeStorage implements Storage {
  private readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.items.set(key, value);
  }
  removeItem(key: string) {
    this.items.delete(key);
  }
  clear() {
    this.items.clear();
  }
}

const DRAFT = { ...EMPTY_DRAFT, question: "Who? 😀", answer: { text: "𝄞", start: 3 } };

test("a draft comes back, for its own assignment only", () => {
  const storage = new FakeStorage();
  new Drafts("one", storage).save(DRAFT);
  expect(new Drafts("one", storage).load()).toEqual(DRAFT);
  expect(new Drafts("two", storage).load()).toBeNull();
});

test("a removed draft is gone", () => {
  const storage = new FakeStorage();
  const drafts = new Drafts("one", storage);
  drafts.save(DRAFT);
  drafts.remove();
  expect(drafts.load()).toBeNull();
});

test("drafts of two weeks ago are swept out, and nothing else", () => {
  const storage = new FakeStorage();
  const day = 24 * 3600 * 1000;
  new Drafts("old", storage, () => 0).save(DRAFT);
  new Drafts("new", storage, () => 10 * day).save(DRAFT);
  storage.setItem("another site's", "text");
  new Drafts("now", storage, () => 15 * day);
  expect(new Drafts("old", storage, () => 15 * day).load()).toBeNull();
  expect(new Drafts("new", storage, () => 15 * day).load()).toEqual(DRAFT);
  expect(storage.getItem("another site's")).toBe("text");
});

test("rubbish in the storage is no draft", () => {
  const storage = new FakeStorage();
  for (const rubbish of [
    "{",
    "null",
    '{"draft": {"question": 1}}',
    '{"draft": {"question": "", "typed": "", "answer": {}}}',
  ]) {
    storage.setItem("beat-the-ai:draft:one", rubbish);
    expect(new Drafts("one", storage).load()).toBeNull();
  }
});

test("a browser without storage, or with a full one, loses nothing but the draft", () => {
  const full = new FakeStorage();
  full.setItem = () => {
    throw new Error("full");
  };
  for (const storage of [null, full]) {
    const drafts = new Drafts("one", storage);
    drafts.save(DRAFT);
    expect(drafts.load()).toBeNull();
  }
});
