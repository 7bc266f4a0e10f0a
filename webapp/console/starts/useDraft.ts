/** A draft as somebody edits it: kept on the server soon after each change, and before anything else is done with it. */

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

import { messageOf, Refusal } from "../../review/api";
import type { Run } from "../App";
import type { Choices, StartDraft } from "../records";
import { read, save } from "./calls";

const SOON_MS = 600;
const unsaved = new Map<string, Choices>(); // outlives a session that ends meanwhile

export interface Editing {
  /** The last answer of the server. */
  draft: StartDraft;
  choices: Choices;
  isSaved: boolean;
  problem: string;
  edit: (changed: Partial<Choices>) => void;
  /** Keep what was written, then do something with the draft, which may answer with it. Throws what goes wrong. */
  act: (deed: (draft: StartDraft) => Promise<StartDraft | null>) => Promise<void>;
  reload: () => void;
}

export function useDraft(id: string, token: string, run: Run): Editing | null {
  const [draft, setDraft] = useState<StartDraft | null>(null);
  const [choices, setChoices] = useState<Choices | null>(null);
  const [isSaved, setSaved] = useState(true);
  const [problem, setProblem] = useState("");
  const latest = useRef<StartDraft | null>(null);
  const pending = useRef<Choices | null>(null);
  const saving = useRef<Promise<void> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const take = useCallback((answer: StartDraft) => {
    if (answer.revision < (latest.current?.revision ?? 0)) {
      return;
    }
    latest.current = answer;
    setDraft(answer);
    if (pending.current === null) {
      setChoices(answer.choices);
    }
  }, []);
  const sendAll = useCallback(async () => {
    for (let sent = pending.current; sent !== null && latest.current !== null; sent = pending.current) {
      pending.current = null;
      try {
        take(await save(latest.current, sent, token));
      } catch (error) {
        pending.current ??= sent;
        throw error;
      }
    }
    unsaved.delete(id);
    setSaved(true);
    setProblem("");
  }, [id, token, take]);
  const flush = useCallback((): Promise<void> => {
    clearTimeout(timer.current);
    saving.current ??= sendAll().finally(() => {
      saving.current = null;
    });
    return saving.current;
  }, [sendAll]);
  const told = useCallback(
    async (deed: () => Promise<void>) => {
      try {
        await deed();
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) {
          await run(() => Promise.reject(error));
        } else {
          setProblem(messageOf(error));
        }
      }
    },
    [run],
  );
  const load = useCallback(async () => {
    take(await read(id));
    const kept = unsaved.get(id);
    if (kept !== undefined && pending.current === null) {
      pending.current = kept;
      setChoices(kept);
      await flush();
    }
  }, [id, take, flush]);
  useEffect(() => {
    void told(load);
    return () => clearTimeout(timer.current);
  }, [told, load]);
  const leave = useEffectEvent(() => {
    if (pending.current !== null) {
      void told(flush);
    }
  });
  useEffect(() => {
    const hide = () => leave();
    document.addEventListener("visibilitychange", hide);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      hide();
    };
  }, []);
  const again = draft?.again_seconds ?? null;
  useEffect(() => {
    if (again === null) {
      return;
    }
    const waiting = setTimeout(() => void told(async () => take(await read(id))), again * 1000);
    return () => clearTimeout(waiting);
  }, [draft, again, id, told, take]);

  if (draft === null || choices === null) {
    return null;
  }
  return {
    draft,
    choices,
    isSaved,
    problem,
    edit: (changed) => {
      const next = { ...choices, ...changed };
      setChoices(next);
      setSaved(false);
      pending.current = next;
      unsaved.set(id, next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void told(flush), SOON_MS);
    },
    act: async (deed) => {
      await flush();
      const answer = latest.current === null ? null : await deed(latest.current);
      if (answer !== null) {
        take(answer);
      }
    },
    reload: () => {
      unsaved.delete(id);
      pending.current = null;
      setProblem("");
      setSaved(true);
      void told(load);
    },
  };
}
