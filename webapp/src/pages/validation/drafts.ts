/** A validator's drafts: what is marked but not saved, and which question is on show. */

import { StoredDrafts } from "../../storage/drafts";
import type { Draft, Unsaved } from "./work";

export class Drafts extends StoredDrafts<Draft> {
  constructor(assignment: string, storage?: Storage | null, now?: () => number) {
    super("beat-the-ai:validation-draft:", assignment, isDraft, storage, now);
  }
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  const unsaved: unknown = draft?.unsaved;
  return (
    typeof draft?.current === "string" &&
    typeof draft.feedback === "string" &&
    typeof unsaved === "object" &&
    unsaved !== null &&
    Object.values(unsaved).every(isUnsaved)
  );
}

function isUnsaved(value: unknown): value is Unsaved {
  const unsaved = value as Partial<Unsaved> | null;
  const answered =
    unsaved?.answer === null || (typeof unsaved?.answer?.text === "string" && Number.isInteger(unsaved.answer.start));
  return answered && typeof unsaved?.typed === "string" && typeof unsaved.cannot === "boolean";
}
