/** A writer's work and the server: every change in the editor is kept as a draft, every attempt is sent under its key. */

import { useEffect, useEffectEvent, useReducer, useRef } from "react";

import { newId } from "../crowd/ids";
import type { Answer } from "../crowd/packets";
import type { Desk } from "../pages/page";
import type { Drafts } from "./drafts";
import { type Attempt, type FlagReason, type Hit, type Standing, type Task, type Terms, findProblem } from "./hit";
import type { Telemetry } from "./typing";
import { type Action, type Work, draftOf, isFrozen, reduce, restored } from "./work";

export interface Attempts {
  work: Work;
  change: (action: Action) => void;
  submit: () => void;
  /** Sends what is being checked once more, under the same key. */
  retry: () => void;
  retract: (attempt: Attempt) => void;
  flag: (attempt: Attempt, reason: FlagReason, note: string) => void;
}

export function useAttempts(
  desk: Desk,
  drafts: Drafts,
  task: Task,
  terms: Terms,
  initial: Hit,
  telemetry: () => Telemetry | null,
): Attempts {
  const [work, change] = useReducer(reduce, null, () => restored(initial, drafts.load()));
  const { question, answer, typed, feedback, attemptKey, sent, judgedKey } = work;
  const report = useRef<{ key: string; telemetry: Telemetry | null } | null>(null);

  useEffect(() => {
    drafts.save(draftOf({ question, answer, typed, feedback, attemptKey, sent, judgedKey }));
  }, [drafts, question, answer, typed, feedback, attemptKey, sent, judgedKey]);

  const send = async (key: string) => {
    const wording = { question: question.trim(), answer };
    if (report.current?.key !== key) {
      report.current = { key, telemetry: telemetry() }; // sent again, an attempt is the same in all of its parts
    }
    const args = { attempt_key: key, context_id: task.context.id, work: wording, telemetry: report.current.telemetry };
    const reply = await desk.call<{ attempt: Attempt; hit: Standing }>("submit_attempt", args);
    change(
      reply.ok
        ? { type: "judged", attemptKey: key, attempt: reply.attempt, standing: reply.hit }
        : { type: "failed", attemptKey: key, problem: reply.error },
    );
  };

  const resume = useEffectEvent(() => {
    if (sent && attemptKey !== null) {
      void send(attemptKey); // sent before the page was reloaded: the same key gets the same verdict
    }
  });
  useEffect(() => resume(), []);

  const submit = () => {
    if (isFrozen(work) || work.hit.complete) {
      return;
    }
    const problem = findProblem(question, answer, terms);
    if (problem !== null) {
      change({ type: "complained", problem });
      return;
    }
    const key = attemptKey ?? newId();
    change({ type: "sent", attemptKey: key });
    void send(key);
  };

  const update = async (reply: Promise<Answer<{ hit: Hit }>>) => {
    const result = await reply;
    change(result.ok ? { type: "updated", hit: result.hit } : { type: "complained", problem: result.error });
  };

  return {
    work,
    change,
    submit,
    retry: () => void (attemptKey !== null && send(attemptKey)),
    retract: ({ attempt_id }) => void update(desk.call("retract", { attempt_id })),
    flag: ({ attempt_id }, reason, note) => void update(desk.call("flag", { attempt_id, reason, note })),
  };
}
