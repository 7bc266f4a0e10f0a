/** The pages by name, as `page` in `task_config.json` gives it. Each is a folder; none is evaluated before it is asked for. */

import type { Page } from "./page";

const PAGES: Readonly<Record<string, () => Promise<Page>>> = {
  qualification: async () => (await import("./qualification/page")).qualification,
  reading_comprehension: async () => (await import("./reading_comprehension/page")).readingComprehension,
  validation: async () => (await import("./validation/page")).validation,
};

export class UnknownPage extends Error {}

export async function findPage(name: unknown): Promise<Page> {
  const load = Object.hasOwn(PAGES, String(name)) ? PAGES[String(name)] : undefined;
  if (load === undefined) {
    throw new UnknownPage(`There is no page "${String(name)}". Available: ${Object.keys(PAGES).join(", ")}.`);
  }
  return load();
}
