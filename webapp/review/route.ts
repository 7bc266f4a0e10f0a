/** Where the reviewer is, in the address: `#/workers/A1/3f…`, `#/candidates`, `#/log`. */

import { useEffect, useState } from "react";

export type Tab = "workers" | "candidates" | "doubtful" | "log";

export interface Route {
  tab: Tab;
  worker: string | null;
  assignment: string | null;
}

const TABS: readonly Tab[] = ["workers", "candidates", "doubtful", "log"];

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

export function address(tab: Tab, worker?: string, assignment?: string): string {
  const parts = [tab, worker, assignment].filter((part) => part !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return parse(hash);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
