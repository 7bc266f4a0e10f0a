/** Stands above the work of a HIT that has ended without a submission. */

import { type ReactNode, useEffect, useRef } from "react";

import { type VisitorHits, nextAddress, visitorName } from "../crowd/visitor";
import { say } from "../words/say";

interface Props {
  /** Where no crowd has other HITs. */
  hits: VisitorHits | null;
  children: ReactNode;
}

export function Ended({ hits, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} className="ended" role="alert" tabIndex={-1}>
      <h2>{say("session.ended.title")}</h2>
      <p>{children}</p>
      <button type="button" onClick={() => location.reload()}>
        {say("session.reload")}
      </button>
      {hits !== null && (
        <a href={nextAddress(visitorName())} onClick={() => hits.leave()}>
          {say("session.open_another")}
        </a>
      )}
    </div>
  );
}
