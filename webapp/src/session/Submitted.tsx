/** The end of a HIT. */

import { useEffect, useRef, useState } from "react";

import { handBack, registration } from "../crowd/provider";
import { type VisitorHits, nextAddress, visitorName } from "../crowd/visitor";
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
      setFailure(` The crowd's page did not take it (${String(error)}).`);
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
    <Notice title="Thank you! Your HIT is submitted." action={{ name: "Hand it in again", run: handIn }}>
      {`${next} Everything is kept on our side, and you can close this page. If the crowd's own page still waits for it, hand it in again.${failure}`}
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
      setNote(" The service does not answer. It ends when all HITs are done; if some are left, try again in a moment.");
    }
  };
  const action = { name: "Next HIT", run: () => void goOn() };
  return (
    <Notice title="Thank you! Your HIT is submitted." {...(once ? {} : { action })}>
      {next}
      {!once && count > 1 && ` You have submitted ${count} HITs in this browser.`} You can also close this page.{note}
    </Notice>
  );
}
