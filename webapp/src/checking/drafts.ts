/** A validator's drafts: what is not saved, and which item is on show. */

import { StoredDrafts } from "../storage/drafts";
import type { Draft } from "./work";

export class Drafts<Entry> extends StoredDrafts<Draft<Entry>> {
  constructor(assignment: string, isEntry: (value: unknown) => value is Entry) {
    const isDraft = (value: unknown): value is Draft<Entry> => isDraftOf(value, isEntry);
    super("beat-the-ai:validation-draft:", assignment, isDraft);
  }
}

function isDraftOf<Entry>(value: unknown, isEntry: (value: unknown) => value is Entry): value is Draft<Entry> {
  const draft = value as Partial<Draft<Entry>> | null;
  const unsaved: unknown = draft?.unsaved;
  return (
    typeof draft?.current === "string" &&
    typeof draft.feedback === "string" &&
    typeof unsaved === "object" &&
    unsaved !== null &&
    Object.values(unsaved).every((each) => isEntry((each as { entry?: unknown } | null)?.entry))
  );
}
