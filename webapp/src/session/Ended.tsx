/** Stands above the work of a HIT that has ended without a submission. */

import { type ReactNode, useEffect, useRef } from "react";

import { type VisitorHits, nextAddress, visitorName } from "../crowd/visitor";

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
      <h2>This HIT has ended</h2>
      <p>{children}</p>
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
      {hits !== null && (
        <a href={nextAddress(visitorName())} onClick={() => hits.leave()}>
          Open another HIT
        </a>
      )}
    </div>
  );
}
