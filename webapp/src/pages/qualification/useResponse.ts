/** What a newcomer writes in one step: kept as a draft, sent under a key of its own, corrected after a mistake. */

import { useEffect, useEffectEvent, useState } from "react";

import { newId } from "../../crowd/ids";
import type { Problem } from "../../crowd/packets";
import type { Desk } from "../page";
import type { Drafts } from "../../writing/drafts";
import { type Draft, EMPTY_DRAFT } from "../../writing/work";
import { type QuizTerms, type Response, type Screening, type Step, findStepProblem } from "./screening";

export type Work = Draft & { problem: Problem | null };

export interface Responding {
  work: Work;
  edit: (change: Partial<Pick<Draft, "question" | "answer" | "typed">>) => void;
  submit: () => void;
  /** Sends what is being checked once more, under the same key. */
  retry: () => void;
}

export function useResponse(
  desk: Desk,
  drafts: Drafts,
  step: Step,
  terms: QuizTerms,
  onResponse: (response: Response, screening: Screening) => void,
): Responding {
  const [work, setWork] = useState<Work>(() => ({ ...EMPTY_DRAFT, ...drafts.load(), problem: null }));
  const { question, answer, typed, feedback, attemptKey, sent } = work;

  useEffect(() => {
    drafts.save({ question, answer, typed, feedback, attemptKey, sent });
  }, [drafts, question, answer, typed, feedback, attemptKey, sent]);

  const send = async (key: string) => {
    const content = {
      ...(step.kind === "answer" ? {} : { question: question.trim() }),
      ...(step.kind === "question" ? {} : { answer }),
    };
    const args = { response_key: key, step: step.id, work: content };
    const reply = await desk.call<{ response: Response; screening: Screening }>("respond", args);
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
    const problem = findStepProblem(step.kind, question, answer, terms);
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
    edit: (change) => sent || setWork({ ...work, ...change, attemptKey: null, problem: null }),
    submit,
    retry: () => void (attemptKey !== null && send(attemptKey)),
  };
}
