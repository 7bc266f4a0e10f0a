/** What was typed in a HIT so far, as the server kept it, with what the writer saw of the model's answer. */

import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import type { Cause } from "./hints";

export interface Edit<Draft, Shown> {
  ordinal: number;
  /** The attempt that the draft was on the way to, counted from 1. */
  attempt: number;
  cause: Cause;
  /** ISO 8601. */
  at: string;
  draft: Draft;
  /** Null where the model did not answer: a newer draft overtook it. */
  hint: Shown | null;
}

/** `onEdits` gets them in order, some at a time, as long as `wanted()`. Resolves with what went wrong, if anything did. */
export async function loadEdits<Draft, Shown>(
  desk: Desk,
  onEdits: (edits: readonly Edit<Draft, Shown>[]) => void,
  wanted: () => boolean,
): Promise<Problem | null> {
  let after = 0;
  for (;;) {
    const reply = await desk.call<{ edits: Edit<Draft, Shown>[]; more: boolean }>("edits", { after });
    if (!wanted()) {
      return null;
    }
    if (!reply.ok) {
      return reply.error;
    }
    onEdits(reply.edits);
    after = reply.edits.at(-1)?.ordinal ?? after;
    if (!reply.more) {
      return null;
    }
  }
}
