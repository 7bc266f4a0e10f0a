/** The people as far as they are shown, those who are chosen among them, and the crowd in numbers. */

import { useCallback, useEffect, useRef, useState } from "react";

import { get } from "../api";
import type { Desk } from "../desk";
import type { Crowd, PeoplePage, Person } from "../records";

export interface Sought {
  words: string;
  state: string;
  group: string;
}

export interface People {
  page: PeoplePage | null;
  crowd: Crowd | null;
  sought: Sought;
  chosen: readonly Person[];
  seek: (sought: Sought) => void;
  more: () => void;
  choose: (workers: readonly string[], isChosen: boolean) => void;
  /** Show people as they are after an act; they stay where they were. */
  replace: (changed: readonly Person[]) => void;
  showCrowd: (crowd: Crowd) => void;
  reload: () => void;
}

const EVERYBODY: Sought = { words: "", state: "", group: "" };

export function usePeople(run: Desk["run"]): People {
  const [page, setPage] = useState<PeoplePage | null>(null);
  const [crowd, setCrowd] = useState<Crowd | null>(null);
  const [sought, setSought] = useState(EVERYBODY);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const turn = useRef(0);
  const read = useCallback(
    (which: Sought, after = "") =>
      run(async () => {
        const mine = ++turn.current;
        const next = await get<PeoplePage>(`api/people?${new URLSearchParams({ ...which, after })}`);
        if (mine === turn.current) {
          setPage((shown) => (after && shown ? joined(shown, next) : next)); // the last question's answer
        }
      }),
    [run],
  );
  const count = useCallback(() => run(async () => setCrowd(await get<Crowd>("api/people/crowd"))), [run]);
  useEffect(() => void Promise.all([read(EVERYBODY), count()]), [read, count]);
  const show = (which: Sought) => {
    setSought(which);
    setIds(new Set());
    void read(which);
  };
  return {
    page,
    crowd,
    sought,
    chosen: page?.people.filter(({ worker }) => ids.has(worker)) ?? [],
    seek: show,
    more: () => void read(sought, page?.after ?? ""),
    choose: (workers, isChosen) =>
      setIds((before) => {
        const after = new Set(before);
        for (const worker of workers) {
          if (isChosen) {
            after.add(worker);
          } else {
            after.delete(worker);
          }
        }
        return after;
      }),
    replace: (changed) => {
      setPage((shown) => shown && { ...shown, people: replaced(shown.people, changed) });
      void count();
    },
    showCrowd: setCrowd,
    reload: () => {
      show(sought);
      void count();
    },
  };
}

/** Both pages, with nobody twice. */
export function joined(one: PeoplePage, next: PeoplePage): PeoplePage {
  const shown = new Set(one.people.map(({ worker }) => worker));
  return { ...next, people: [...one.people, ...next.people.filter(({ worker }) => !shown.has(worker))] };
}

export function replaced(shown: readonly Person[], changed: readonly Person[]): Person[] {
  const now = new Map(changed.map((person) => [person.worker, person]));
  return shown.map((person) => now.get(person.worker) ?? person);
}
