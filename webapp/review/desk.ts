/** What the page hands to its tabs. */

import type { Change, Sent } from "./api";
import type { QualificationRequest } from "./records";

/** What the tabs may do. `run` shows what goes wrong, and asks to sign in again when the session is over. */
export interface Desk {
  reviewer: string;
  lead: boolean;
  run: (act: () => Promise<void>) => Promise<void>;
  send: <T>(path: string, content: Sent) => Promise<T>;
  changeStanding: (worker: string, change: Change, reason: string, confirmation?: string) => Promise<void>;
}

/** Requests in the marketplace, or why they cannot be told. */
export interface Requested {
  list: readonly QualificationRequest[];
  problem: string;
}
