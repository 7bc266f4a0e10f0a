/** What a page of the suite is: something to work on, and what workers see of it before they accept the HIT. */

import type { ComponentType } from "react";

import type { Channel } from "../crowd/channel";

export type Config = Readonly<Record<string, unknown>>;
export type Desk = Pick<Channel, "call" | "state" | "subscribe">;

export interface WorkProps {
  config: Config;
  /** `init_task_data`, as the server gave it. */
  task: unknown;
  /** Names this worker's assignment, for drafts. */
  assignment: string;
  desk: Desk;
  /** The HIT has ended without a submission (expired, returned): nothing can be sent any more, but all text stays. */
  over: boolean;
  /**
   * Submits the HIT. Tries until the server has it; `onWait` is told of every try in vain. Rejects with `Declined`.
   * `next` is what the worker reads at the end about what comes now.
   */
  finish: (finalData: Readonly<Record<string, unknown>>, onWait: () => void, next?: string) => Promise<void>;
}

export interface PreviewProps {
  config: Config;
}

export interface Page {
  Work: ComponentType<WorkProps>;
  Preview: ComponentType<PreviewProps>;
  /** Every worker does it once: there is no next HIT. */
  once?: boolean;
}
