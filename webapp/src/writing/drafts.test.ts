import { expect, test } from "vitest";

import { Drafts } from "./drafts";
import { emptyDraft } from "./work";

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

interface Entry {
  text: string;
}

const isEntry = (value: unknown): value is Entry => typeof (value as Partial<Entry> | undefined)?.text === "string";
const DRAFT = { ...emptyDraft({ text: "Who? 😀" }), explanation: { attempt: "a1", said: { reason: "𝄞" } } };

test("a draft comes back, for its own assignment only", () => {
  const storage = new FakeStorage();
  new Drafts("one", isEntry, storage).save(DRAFT);
  expect(new Drafts("one", isEntry, storage).load()).toEqual(DRAFT);
  expect(new Drafts("two", isEntry, storage).load()).toBeNull();
});

test("a removed draft is gone", () => {
  const storage = new FakeStorage();
  const drafts = new Drafts("one", isEntry, storage);
  drafts.save(DRAFT);
  drafts.remove();
  expect(drafts.load()).toBeNull();
});

test("drafts of two weeks ago are swept out, and nothing else", () => {
  const storage = new FakeStorage();
  const day = 24 * 3600 * 1000;
  new Drafts("old", isEntry, storage, () => 0).save(DRAFT);
  new Drafts("new", isEntry, storage, () => 10 * day).save(DRAFT);
  storage.setItem("another site's", "text");
  new Drafts("now", isEntry, storage, () => 15 * day);
  expect(new Drafts("old", isEntry, storage, () => 15 * day).load()).toBeNull();
  expect(new Drafts("new", isEntry, storage, () => 15 * day).load()).toEqual(DRAFT);
  expect(storage.getItem("another site's")).toBe("text");
});

test("rubbish in the storage is no draft", () => {
  const storage = new FakeStorage();
  for (const rubbish of [
    "{",
    "null",
    '{"draft": {"text": ""}}',
    JSON.stringify({ draft: { ...DRAFT, entry: { text: 1 } } }),
    JSON.stringify({ draft: { ...DRAFT, explanation: { attempt: "a1" } } }),
  ]) {
    storage.setItem("beat-the-ai:draft:one", rubbish);
    expect(new Drafts("one", isEntry, storage).load()).toBeNull();
  }
});

test("a browser without storage, or with a full one, loses nothing but the draft", () => {
  const full = new FakeStorage();
  full.setItem = () => {
    throw new Error("full");
  };
  for (const storage of [null, full]) {
    const drafts = new Drafts("one", isEntry, storage);
    drafts.save(DRAFT);
    expect(drafts.load()).toBeNull();
  }
});
