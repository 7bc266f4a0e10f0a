/** Where the reviewer is, in the address: `#/workers/A1/3f…`, `#/candidates`, `#/log`. */

import { decoded, useHash } from "../src/address/hash";

export type Tab = "workers" | "candidates" | "doubtful" | "held" | "people" | "messages" | "log";

export interface Route {
  tab: Tab;
  worker: string | null;
  assignment: string | null;
}

const TABS: readonly Tab[] = ["workers", "candidates", "doubtful", "held", "people", "messages", "log"];

export function parse(hash: string): Route {
  const [tab, worker, assignment] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decoded);
  return {
    tab: TABS.find((known) => known === tab) ?? "workers",
    worker: worker || null,
    assignment: assignment || null,
  };
}

/** The title of a place, the narrowest first. No worker is named in what a browser keeps. */
export function titleOf(tab: Tab, worker: string | null): string {
  const name = tab === "held" ? "On hold" : tab.slice(0, 1).toUpperCase() + tab.slice(1);
  return `${worker === null ? name : "A worker"} – Review – Beat the AI`;
}

export function address(tab: Tab, worker?: string, assignment?: string): string {
  const parts = [tab, worker, assignment].filter((part) => part !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function useRoute(): Route {
  return parse(useHash());
}
