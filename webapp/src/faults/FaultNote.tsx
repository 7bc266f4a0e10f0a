/** Says that something on the page has failed, until it is closed. */

import { useState, useSyncExternalStore } from "react";

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
        <strong>Something went wrong on this page.</strong> What you wrote is kept; what you marked may not be. Please check
        everything before you submit it. If this comes back, reload the page.
      </p>
      <div className="actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
        <button type="button" className="quiet" onClick={() => close(seen)}>
          Close
        </button>
      </div>
    </div>
  );
}
