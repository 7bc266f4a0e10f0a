/** Asks the server where the worker stands, and shows the work with its reply. */

import { type ReactNode, useEffect, useState } from "react";

import type { Answer } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { Notice } from "../session/Notice";

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
    void desk.call<State>("state", {}).then((answer) => {
      if (current) {
        setReply(answer);
      }
    });
    return () => {
      current = false;
    };
  }, [desk, calls]);

  if (reply === null) {
    return <Notice title="Opening your HIT …" busy />;
  }
  if (!reply.ok) {
    return (
      <Notice title={refusal} action={{ name: "Try again", run: () => setCalls(calls + 1) }}>
        {reply.error.message}
      </Notice>
    );
  }
  return children(reply);
}
