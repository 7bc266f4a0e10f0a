/** What to tell a worker whose HIT has ended without a submission, by the agent's status. */

import { type Plain, say } from "../words/say";

const ENDINGS: Readonly<Record<string, Plain>> = {
  expired: "session.ended.expired",
  timeout: "session.ended.timeout",
  disconnect: "session.ended.disconnect",
  returned: "session.ended.returned",
  "mephisto disconnect": "session.ended.stopped",
};

/** Why nothing can be sent any more; null while the work goes on. */
export function ending(status: string, refused: boolean): string | null {
  const reason = ENDINGS[status] ?? (refused ? "session.ended.unknown" : null);
  return reason && `${say(reason)} ${say("session.ended.kept")}`;
}
