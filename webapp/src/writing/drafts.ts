/** A writer's drafts: the question and the answer in the editor. */

import { StoredDrafts } from "../storage/drafts";
import type { Draft } from "./work";

export class Drafts extends StoredDrafts<Draft> {
  constructor(assignment: string, storage?: Storage | null, now?: () => number) {
    super("beat-the-ai:draft:", assignment, isDraft, storage, now);
  }
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  const answered =
    draft?.answer === null || (typeof draft?.answer?.text === "string" && Number.isInteger(draft.answer.start));
  return typeof draft?.question === "string" && typeof draft.typed === "string" && answered;
}
