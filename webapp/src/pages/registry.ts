/** The pages by name, as `page` in `task_config.json` gives it: every folder here. None is loaded before it is asked for. */

import type { Page } from "./page";

const FOLDERS = import.meta.glob<Page>("./*/page.tsx", { import: "page" });
const PAGES = new Map(Object.entries(FOLDERS).map(([path, load]) => [path.split("/")[1], load]));

export class UnknownPage extends Error {}

/** Throws `UnknownPage` at once; the page itself comes later. */
export function findPage(name: unknown): Promise<Page> {
  const load = PAGES.get(String(name));
  if (load === undefined) {
    throw new UnknownPage(`There is no page "${String(name)}". Available: ${[...PAGES.keys()].join(", ")}.`);
  }
  return load();
}
