/** A validator's work and the server: every change is kept as a draft, every answer is sent under its key. */

import { useEffect, useReducer } from "react";

import { newId } from "../../crowd/ids";
import type { Desk } from "../page";
import type { Drafts } from "./drafts";
import type { Hit, Task, Terms } from "./hit";
import { type Action, type Work, draftOf, isAnswered, nextOpen, reduce, restored, shownAnswer } from "./work";

export interface Answers {
  work: Work;
  change: (action: Action) => void;
  /** Saves the answer on show; one that is saved already merely brings up the next open question. */
  save: () => void;
}

export function useAnswers(desk: Desk, drafts: Drafts, task: Task, terms: Terms, initial: Hit): Answers {
  const [work, change] = useReducer(reduce, null, () => restored(task, initial, drafts.load()));
  const { current, unsaved, feedback } = work;
  useEffect(() => {
    drafts.save(draftOf({ current, unsaved, feedback }));
  }, [drafts, current, unsaved, feedback]);

  const send = async (item: string, answerKey: string) => {
    const { answer } = shownAnswer(work, item);
    const reply = await desk.call<{ hit: Hit }>("vote", { item_id: item, vote_key: answerKey, vote: { answer } });
    change(
      reply.ok ? { type: "saved", item, answerKey, hit: reply.hit } : { type: "failed", item, problem: reply.error },
    );
  };
  const save = () => {
    const shown = shownAnswer(work, current);
    const message = problemOf(shown.answer?.text ?? null, shown.cannot, terms);
    if (work.saving !== null) {
      return;
    }
    if (message !== null) {
      change({ type: "complained", problem: { code: "invalid", field: "answer", message } });
    } else if (!(current in unsaved) && isAnswered(work, current)) {
      change({ type: "went", item: nextOpen(work, current) ?? current });
    } else {
      const answerKey = shown.answerKey ?? newId();
      change({ type: "sent", item: current, answerKey });
      void send(current, answerKey);
    }
  };
  return { work, change, save };
}

/** What is wrong with an answer before it is sent; the server checks all of it again. */
function problemOf(answer: string | null, cannot: boolean, terms: Terms): string | null {
  if (answer === null) {
    return cannot ? null : "Please mark the answer in the passage, or tick that the question cannot be answered.";
  }
  const words = answer.split(/\s+/).length;
  const most = terms.max_answer_words;
  return words > most ? `The answer has ${words} words; at most ${most} are allowed. Please mark a shorter one.` : null;
}
