/** Figures that the server keeps: asked for again when the campaign has changed and there are newer ones. */

import { useCallback, useEffect, useRef, useState } from "react";

import { get } from "../review/api";
import type { Run } from "./App";
import { useChanges } from "./useChanges";

interface Kept {
  again_seconds: number | null;
}

/** The last answer of `api/NAME?ASKED`; null before the first. Another `asked` keeps what is shown until it is there. */
export function useRenewed<T extends Kept>(campaign: string, name: string, asked: Readonly<Record<string, string>>, run: Run): T | null {
  const [shown, setShown] = useState<T | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const query = new URLSearchParams({ campaign, ...asked }).toString();
  const latest = useRef(query);
  const load = useCallback(
    () =>
      run(async () => {
        clearTimeout(timer.current);
        const answer = await get<T>(`api/${name}?${query}`);
        if (latest.current !== query) {
          return;
        }
        setShown(answer);
        clearTimeout(timer.current);
        if (answer.again_seconds !== null) {
          timer.current = setTimeout(() => void load(), answer.again_seconds * 1000);
        }
      }),
    [name, query, run],
  );
  useEffect(() => {
    latest.current = query;
    void load();
    return () => clearTimeout(timer.current);
  }, [load, query]);
  useChanges(campaign, () => void load());
  return shown;
}
