/** Asks the server where the worker stands, and shows the work with its reply. */

import { type ReactNode, useEffect, useState } from "react";

import type { Answer } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { Notice } from "../session/Notice";
import { say } from "../words/say";

/** Codes of what has failed for a moment: it is asked for again. */
const PASSING = new Set(["internal", "store", "busy"]);
const AGAIN_MS = 3_000;

interface Props<State> {
  desk: Desk;
  /** The heading where the server refuses. */
  refusal: string;
  children: (state: State) => ReactNode;
}

export function Opening<State extends object>({ desk, refusal, children }: Props<State>): ReactNode {
  const [reply, setReply] = useState<Answer<State> | null>(null);
  const [calls, setCalls] = useState(1);
  useEffect(() => {
    let current = true;
    let again: ReturnType<typeof setTimeout> | undefined;
    void desk.call<State>("state", {}).then((answer) => {
      if (current) {
        setReply(answer);
        if (!answer.ok && PASSING.has(answer.error.code)) {
          again = setTimeout(() => setCalls((count) => count + 1), AGAIN_MS);
        }
      }
    });
    return () => {
      current = false;
      clearTimeout(again);
    };
  }, [desk, calls]);

  if (reply === null) {
    return <Notice title={say("work.opening")} busy />;
  }
  if (!reply.ok) {
    return (
      <Notice title={refusal} action={{ name: say("work.try_again"), run: () => setCalls(calls + 1) }}>
        {reply.error.message}
      </Notice>
    );
  }
  return children(reply);
}
