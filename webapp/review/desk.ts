/** What the page hands to its tabs. */

import type { Change, Sent } from "./api";
import type { Outcome, QualificationRequest } from "./records";

/** What the tabs may do. `run` shows what goes wrong, and asks to sign in again when the session is over. */
export interface Desk {
  reviewer: string;
  /** Decides about workers. */
  lead: boolean;
  run: (act: () => Promise<void>) => Promise<void>;
  send: <T>(path: string, content: Sent) => Promise<T>;
  /** Loads what decisions have changed. */
  reload: () => Promise<void>;
  changeStanding: (worker: string, change: Change, reason: string, confirmation?: string) => Promise<void>;
}

/** Says that the marketplace has not done what holds here; null where it has, or is not asked. */
export function lag({ answer, answer_note }: Outcome): string | null {
  return answer === "declined" || answer === "unanswered"
    ? `It holds here at once, but the marketplace did not follow: ${answer_note ?? answer}. ` +
        "Run `beat-the-ai review reconcile` later."
    : null;
}

/** Requests in the marketplace, or why they cannot be told. */
export interface Requested {
  list: readonly QualificationRequest[];
  problem: string;
}
