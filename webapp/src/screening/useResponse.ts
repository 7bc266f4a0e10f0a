/** What a newcomer says in one step: kept as a draft, sent under a key of its own, corrected after a mistake. */

import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";

import { newId } from "../crowd/ids";
import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import type { Drafts } from "../writing/drafts";
import { type Draft, emptyDraft } from "../writing/work";
import type { ScreeningKind } from "./kind";
import type { Screening, Types } from "./screening";

export type Work<Entry> = Draft<Entry> & { problem: Problem | null };

export interface Responses<Entry> {
  work: Work<Entry>;
  edit: (change: Partial<Entry>) => void;
  submit: () => void;
  /** Sends what is being checked once more, under the same key. */
  retry: () => void;
}

export function useResponse<T extends Types>(
  desk: Desk,
  drafts: Drafts<T["Entry"]>,
  step: T["Step"],
  kind: ScreeningKind<T>,
  onResponse: (response: T["Response"], screening: Screening<T>) => void,
): Responses<T["Entry"]> {
  const [work, setWork] = useState<Work<T["Entry"]>>(() => ({
    ...(drafts.load() ?? emptyDraft(kind.empty)),
    problem: null,
  }));
  const { entry, attemptKey, sent } = work;

  useLayoutEffect(() => {
    drafts.save({ ...emptyDraft(entry), attemptKey, sent });
  }, [drafts, entry, attemptKey, sent]);

  const send = async (key: string) => {
    const args = { response_key: key, step: step.id, work: kind.workOf(step, entry) };
    const reply = await desk.call<{ response: T["Response"]; screening: Screening<T> }>("respond", args);
    if (!reply.ok) {
      setWork((current) => (current.attemptKey === key ? { ...current, sent: false, problem: reply.error } : current));
      return;
    }
    // What was wrong stays to be corrected; a correction is another try and gets another key.
    setWork((current) => (current.attemptKey === key ? { ...current, sent: false, attemptKey: null } : current));
    onResponse(reply.response, reply.screening);
  };

  const resume = useEffectEvent(() => {
    if (sent && attemptKey !== null) {
      void send(attemptKey); // sent before the page was reloaded: the same key gets the same answer
    }
  });
  useEffect(() => resume(), []);

  const submit = () => {
    if (sent) {
      return;
    }
    const problem = kind.findProblem(step, entry);
    if (problem !== null) {
      setWork({ ...work, problem });
      return;
    }
    const key = attemptKey ?? newId();
    setWork({ ...work, attemptKey: key, sent: true, problem: null });
    void send(key);
  };

  return {
    work,
    edit: (change) =>
      sent || setWork({ ...work, entry: { ...entry, ...change }, attemptKey: null, problem: null }),
    submit,
    retry: () => void (attemptKey !== null && send(attemptKey)),
  };
}
