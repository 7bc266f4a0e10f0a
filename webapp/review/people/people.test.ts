import { describe, expect, test } from "vitest";

import type { Person } from "../records";
import { peopleActs } from "./acts";
import { contentOf } from "./listFile";
import { wholeNumber } from "./TextField";
import { joined, replaced } from "./usePeople";

function person(worker: string, state: Person["state"] = "invited"): Person {
  const nothing = { name: null, email: null, mailed_at: null, withdrawn_at: null, erase_at: null };
  return { worker, state, groups: [], recruited: false, changes: [], may_get_link: false, ...nothing };
}

describe("the list of people", () => {
  test("has nobody twice, and the last page's end", () => {
    const one = { people: [person("A1"), person("A2")], left: 2, after: "A2" };
    const next = { people: [person("A2"), person("A3")], left: 1, after: "A3" };
    expect(joined(one, next)).toEqual({ people: [person("A1"), person("A2"), person("A3")], left: 1, after: "A3" });
  });

  test("keeps its order when somebody changes", () => {
    const shown = [person("A1"), person("A2"), person("A3")];
    const changed = [person("A2", "active"), person("A9")];
    expect(replaced(shown, changed)).toEqual([person("A1"), person("A2", "active"), person("A3")]);
  });
});

test("many are changed in parts that the server takes", async () => {
  const parts: number[] = [];
  const send = async <T>(_path: string, content: unknown) => {
    const { workers } = content as { workers: string[] };
    parts.push(workers.length);
    return workers.map((worker) => person(worker, "active")) as T;
  };
  const all = Array.from({ length: 250 }, (_, number) => person(`A${number}`));
  expect(await peopleActs(send).changeState(all, "approve")).toHaveLength(250);
  expect(parts).toEqual([100, 100, 50]);
});

test("a file of any bytes is sent as it is", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, number) => number % 256);
  const sent = await contentOf(new File([bytes], "list.csv"));
  expect(Uint8Array.from(atob(sent), (char) => char.charCodeAt(0))).toEqual(bytes);
  expect(await contentOf(new File([], "empty.csv"))).toBe("");
});

test.each(["", "x", "1.5", "-1", "1e3"])("%j is no whole number", (text) => {
  expect(() => wholeNumber(text, "Days")).toThrow("Days must be a whole number.");
});
