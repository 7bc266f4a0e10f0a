/** What page and server say to each other: the packets of Mephisto 1.1.1's channel (`mephisto-task` 2.0.4). */

import type { Told } from "../words/told";

export interface Packet {
  packet_type: string;
  subject_id: string;
  data: Readonly<Record<string, unknown>>;
  client_timestamp: number;
}

/** A remote procedure call. Sent again after a reconnect exactly as it is: its ids make the server answer it once. */
export interface Call {
  request_id: string;
  update_id: string;
  target: string;
  args: string;
}

/** Why the server did not do what a call asked for. `message` is written for the worker. */
export interface Problem extends Told {
  code: string;
  field: string | null;
  retry_after_seconds?: number;
}

/** The code of a problem that is none: a newer call of the same procedure took this one's place. */
export const OVERTAKEN = "overtaken";

/** The code of a problem that a person may settle: the work may be sent with an appeal to a reviewer. */
export const DOUBTFUL = "doubtful";

/** What a page itself finds wrong with a field; the server checks all of it again. */
export function invalid(field: string, message: string): Problem {
  return { code: "invalid", field, message };
}

export type Answer<Result> = ({ ok: true } & Result) | { ok: false; error: Problem };

/** Seconds since 1970, as Python counts time. */
export function clientTimestamp(): number {
  return Date.now() / 1000;
}
