/** The end of a HIT. */

import { useEffect, useRef, useState } from "react";

import { handBack, registration } from "../crowd/provider";
import { type VisitorHits, nextAddress, visitorName } from "../crowd/visitor";
import { say } from "../words/say";
import { Notice } from "./Notice";

interface Props {
  finalData: Readonly<Record<string, unknown>>;
  /** What was done, and what comes next. */
  next: string;
}

/** The crowd gets its own form, and has the next HIT. */
export function Submitted({ finalData, next }: Props) {
  const [failure, setFailure] = useState("");
  const handIn = () => {
    try {
      handBack(finalData);
    } catch (error) {
      setFailure(say("session.submitted.failed", { error: String(error) }));
    }
  };
  const handedIn = useRef(false);
  useEffect(() => {
    if (!handedIn.current) {
      handedIn.current = true;
      setTimeout(handIn, 50); // after this page is painted: a crowd may navigate away or show a box of its own
    }
  });
  return (
    <Notice title={say("session.submitted.title")} action={{ name: say("session.submitted.again"), run: handIn }}>
      {sentences(next, say("session.submitted"), failure)}
    </Notice>
  );
}

interface HereProps extends Pick<Props, "next"> {
  hits: VisitorHits;
  /** Every worker does it once. */
  once: boolean;
}

/** No crowd waits for it, and the next HIT is here. */
export function SubmittedHere({ next, hits, once }: HereProps) {
  const [count] = useState(() => hits.submit(String(registration().assignment_id)));
  const [note, setNote] = useState("");
  const goOn = async () => {
    const answer = await fetch("task_config.json", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) {
      location.assign(nextAddress(visitorName()));
    } else {
      setNote(say("session.submitted.over"));
    }
  };
  const action = { name: say("session.submitted.next"), run: () => void goOn() };
  return (
    <Notice title={say("session.submitted.title")} {...(once ? {} : { action })}>
      {sentences(
        next,
        !once && count > 1 ? say("session.submitted.count", { count }) : "",
        say("session.submitted.close"),
        note,
      )}
    </Notice>
  );
}

function sentences(...said: string[]): string {
  return said.filter(Boolean).join(" ");
}
