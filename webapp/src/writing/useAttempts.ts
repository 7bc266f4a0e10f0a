/** A writer's work and the server: every change in the editor is kept as a draft, every attempt is sent under its key. */

import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef } from "react";

import { newId } from "../crowd/ids";
import type { Answer, Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import type { Drafts } from "./drafts";
import type { Attempt, Explanation, FlagReason, Hit, Task } from "./hit";
import type { Standing } from "./records";
import type { WritingKind } from "./kind";
import type { Telemetry } from "./typing";
import { type Action, type Work, draftOf, isFrozen, reduce, restored } from "./work";

export interface Attempts<Entry, Made extends Attempt> {
  work: Work<Entry, Made>;
  change: (action: Action<Entry, Made>) => void;
  submit: () => void;
  /** Sends what is doubted with the writer's reason why it should count. */
  appeal: () => void;
  /** Sends what is being checked once more, under the same key. */
  retry: () => void;
  retract: (attempt: Made) => void;
  flag: (attempt: Made, reason: FlagReason, note: string) => void;
  /** Resolves with what was wrong; null once it is saved. */
  explain: (attempt: Made, said: Explanation) => Promise<Problem | null>;
}

export function useAttempts<Entry, Made extends Attempt>(
  desk: Desk,
  drafts: Drafts<Entry>,
  task: Task,
  kind: WritingKind<Entry, Made>,
  initial: Hit<Made>,
  telemetry: () => Telemetry | null,
): Attempts<Entry, Made> {
  const [work, change] = useReducer(reduce<Entry, Made>, null, () => restored(initial, drafts.load(), kind.empty));
  const { entry, attemptKey, sent, appeal } = work;
  const report = useRef<{ key: string; telemetry: Telemetry | null } | null>(null);

  useLayoutEffect(() => {
    drafts.save(draftOf(work, kind.empty));
  }, [drafts, kind, work]);

  const send = async (key: string, appealing: boolean) => {
    if (report.current?.key !== key) {
      report.current = { key, telemetry: telemetry() }; // sent again, an attempt is the same in all of its parts
    }
    const args = {
      attempt_key: key,
      context_id: task.context.id,
      work: kind.workOf(entry),
      telemetry: report.current.telemetry,
      ...(appealing && { appeal: appeal?.text }),
    };
    const reply = await desk.call<{ attempt: Made; hit: Standing }>("submit_attempt", args);
    change(
      reply.ok
        ? { type: "judged", attemptKey: key, attempt: reply.attempt, standing: reply.hit }
        : { type: "failed", attemptKey: key, problem: reply.error },
    );
  };

  const resume = useEffectEvent(() => {
    if (sent && attemptKey !== null) {
      void send(attemptKey, appeal?.sent ?? false); // sent before the page was reloaded: the same key gets the same verdict
    }
  });
  useEffect(() => resume(), []);

  const submitWith = (appealing: boolean) => {
    if (isFrozen(work) || work.hit.complete) {
      return;
    }
    const problem = kind.findProblem(entry);
    if (problem !== null) {
      change({ type: "complained", problem });
      return;
    }
    const key = attemptKey ?? newId();
    change({ type: "sent", attemptKey: key, appealing });
    void send(key, appealing);
  };

  const update = async (reply: Promise<Answer<{ hit: Hit<Made> }>>) => {
    const result = await reply;
    change(result.ok ? { type: "updated", hit: result.hit } : { type: "complained", problem: result.error });
  };

  const explain = async ({ attempt_id }: Made, said: Explanation) => {
    const reply = await desk.call<{ hit: Hit<Made> }>("explain", { attempt_id, explanation: said });
    if (reply.ok) {
      change({ type: "explained", hit: reply.hit });
    }
    return reply.ok ? null : reply.error;
  };

  return {
    work,
    change,
    submit: () => submitWith(false),
    appeal: () => submitWith(true),
    retry: () => void (attemptKey !== null && send(attemptKey, appeal?.sent ?? false)),
    retract: ({ attempt_id }) => void update(desk.call("retract", { attempt_id })),
    flag: ({ attempt_id }, reason, note) => void update(desk.call("flag", { attempt_id, reason, note })),
    explain,
  };
}
