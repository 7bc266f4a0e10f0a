/** The queue of workers as far as it is shown. It outlives the list, which is found again as it was left. */

import { type RefObject, useCallback, useRef, useState } from "react";

import { get } from "./api";
import type { Desk } from "./desk";
import type { WorkersPage } from "./records";

export interface Queue {
  page: WorkersPage | null;
  sought: string;
  /** The worker who was looked at last. */
  visited: RefObject<string | null>;
  seek: (text: string) => Promise<void>;
  more: () => Promise<void>;
  reload: () => Promise<void>;
}

export function useQueue(run: Desk["run"]): Queue {
  const [page, setPage] = useState<WorkersPage | null>(null);
  const [sought, setSought] = useState("");
  const visited = useRef<string | null>(null);
  const turn = useRef(0);
  const wanted = useRef(0); // workers, whatever is being read meanwhile
  const show = useCallback(
    (text: string) =>
      run(async () => {
        const mine = ++turn.current;
        const answer = await readUpTo(text, wanted.current);
        if (mine === turn.current) {
          setPage(answer); // the last question's answer, in whichever order they come
        }
      }),
    [run],
  );
  return {
    page,
    sought,
    visited,
    seek: (text) => {
      setSought(text);
      wanted.current = 0;
      return show(text);
    },
    more: async () => {
      wanted.current = (page?.workers.length ?? 0) + 1;
      await show(sought);
    },
    reload: () => show(sought),
  };
}

function read(sought: string, after = ""): Promise<WorkersPage> {
  return get<WorkersPage>(`api/workers?${new URLSearchParams({ sought, after })}`);
}

/** Whole pages, until they have `wanted` workers or there are no more. */
async function readUpTo(sought: string, wanted: number): Promise<WorkersPage> {
  let page = await read(sought);
  while (page.after !== null && page.workers.length < wanted) {
    page = joined(page, await read(sought, page.after));
  }
  return page;
}

/** Both pages; who has moved to the later one meanwhile stays where they were. */
export function joined(one: WorkersPage, next: WorkersPage): WorkersPage {
  const shown = new Set(one.workers.map(({ worker }) => worker));
  return { ...next, workers: [...one.workers, ...next.workers.filter(({ worker }) => !shown.has(worker))] };
}
