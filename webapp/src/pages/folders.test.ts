/** What stands in a page's folder is its own, and what all kinds of task share knows none of them. */

import { expect, test } from "vitest";

import { findPage } from "./registry";

const SOURCES = import.meta.glob<string>(["../**/*.ts", "../**/*.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const SPECIFIERS = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

/** From `src/pages/`: `./validation/hit.ts`, `../work/HandIn.tsx`. */
function resolve(from: string, specifier: string): string {
  return new URL(specifier, new URL(from, "file:///src/pages/")).pathname;
}

function folderOf(path: string): string | undefined {
  return /^\/src\/pages\/([^/]+)\//.exec(path)?.[1];
}

/** "who imports what", where what is in the folder of a page and who is not. */
function trespasses(sources: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(SPECIFIERS)].flatMap(([, specifier]) => {
      const folder = folderOf(resolve(file, specifier!));
      const isAnothers = folder !== undefined && folder !== folderOf(resolve(file, "./"));
      return isAnothers ? [`${file} imports ${specifier}`] : [];
    }),
  );
}

/** "who imports what", where what is one kind's and who is neither of that kind nor a page. */
function partialities(sources: Readonly<Record<string, string>>): string[] {
  const kindOf = (path: string) => /^\/src\/kinds\/([^/]+)\//.exec(path)?.[1];
  return Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(SPECIFIERS)].flatMap(([, specifier]) => {
      const kind = kindOf(resolve(file, specifier!));
      const from = resolve(file, "./");
      return kind === undefined || kind === kindOf(from) || folderOf(from) ? [] : [`${file} imports ${specifier}`];
    }),
  );
}

const folders = new Set(Object.keys(SOURCES).flatMap((file) => folderOf(resolve(file, "./")) ?? []));

test("no page imports from the folder of another one, and neither does what they share", () => {
  expect(trespasses(SOURCES)).toEqual([]);
});

test.each([
  ["./validation/page.tsx", 'import { Verdict } from "../reading_comprehension/Verdict";'],
  ["./validation/page.tsx", 'import "../reading_comprehension/page.css";'],
  ["./validation/page.tsx", 'const later = await import("../qualification/page");'],
  ["../work/HandIn.tsx", 'export { amount } from "../pages/qualification/money";'],
])("an import from elsewhere is seen: %s", (file, text) => {
  expect(trespasses({ [file]: text })).toHaveLength(1);
});

test("what all kinds of task share imports nothing of one kind, and no kind another one", () => {
  expect(partialities(SOURCES)).toEqual([]);
});

test.each([
  ["../writing/WritingPage.tsx", 'import { Composer } from "../kinds/nli/Composer";'],
  ["../kinds/nli/guide.tsx", 'import "../reading_comprehension/evidence.css";'],
])("an import of one kind is seen: %s", (file, text) => {
  expect(partialities({ [file]: text })).toHaveLength(1);
});

test("a page imports from a kind", () => {
  expect(partialities({ "./nli/page.tsx": 'import { terms } from "../../kinds/nli/terms";' })).toEqual([]);
});

test("a page imports from its own folder, and from what all share", () => {
  const text = 'import { Preview } from "./Preview"; import type { Page } from "../page"; import "../../work/work.css";';
  expect(trespasses({ "./validation/page.tsx": text })).toEqual([]);
});

test.each([...folders])("the page in the folder %s is found", async (name) => {
  const { Work, Preview } = await findPage(name);
  expect([typeof Work, typeof Preview]).toEqual(["function", "function"]);
});
