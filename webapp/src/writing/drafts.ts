/** A writer's drafts: what stands in the editor, and what is said of a win. */

import { StoredDrafts } from "../storage/drafts";
import type { Draft } from "./work";

export class Drafts<Entry> extends StoredDrafts<Draft<Entry>> {
  constructor(
    assignment: string,
    isEntry: (value: unknown) => value is Entry,
    storage?: Storage | null,
    now?: () => number,
  ) {
    const isDraft = (value: unknown): value is Draft<Entry> => isDraftOf(value, isEntry);
    super("beat-the-ai:draft:", assignment, isDraft, storage, now);
  }
}

function isDraftOf<Entry>(value: unknown, isEntry: (value: unknown) => value is Entry): value is Draft<Entry> {
  const draft = value as Partial<Draft<Entry>> | null;
  const explanation = draft?.explanation;
  const explaining =
    explanation === null ||
    (typeof explanation?.attempt === "string" && typeof explanation.said === "object" && explanation.said !== null);
  const appeal = draft?.appeal;
  const appealing = appeal === null || (typeof appeal?.text === "string" && typeof appeal.sent === "boolean");
  return (
    typeof draft?.feedback === "string" && typeof draft.sent === "boolean" && explaining && appealing && isEntry(draft.entry)
  );
}
