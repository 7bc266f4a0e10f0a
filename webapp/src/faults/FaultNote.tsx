/** Says that something on the page has failed, until it is closed. */

import { useState, useSyncExternalStore } from "react";

import { Say } from "../words/Say";
import { say } from "../words/say";
import { FAULTS } from "./faults";
import "./faultNote.css";

export function FaultNote() {
  const seen = useSyncExternalStore(FAULTS.subscribe, FAULTS.seen);
  const [closed, close] = useState(0);
  if (seen <= closed) {
    return null;
  }
  return (
    <div role="alert" className="fault-note" data-testid="fault">
      <p>
        <Say of="faults.note" />
      </p>
      <div className="actions">
        <button type="button" onClick={() => location.reload()}>
          {say("faults.reload")}
        </button>
        <button type="button" className="quiet" onClick={() => close(seen)}>
          {say("faults.close")}
        </button>
      </div>
    </div>
  );
}
