/** Accepted HITs as a share, with its 95% interval, against the threshold: in words, and as a small drawing. */

import type { Worker } from "./records";
import { percent } from "./words";
import "./accuracy.css";

export function Accuracy({ worker, threshold }: { worker: Worker; threshold: number }) {
  const { accuracy, accepted, reviewed, low, high } = worker;
  if (accuracy === null) {
    return <p className="muted">No accuracy yet</p>;
  }
  return (
    <div className="accuracy" data-low={accuracy < threshold}>
      <p>
        <strong>{percent(accuracy)}</strong> of {reviewed} accepted ({accepted}){" "}
        <span className="muted">
          95% interval {percent(low)} to {percent(high)}; at least {percent(threshold)} wanted
        </span>
      </p>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track" x="0" y="3" width="100" height="2" />
        <rect className="interval" x={low * 100} y="2" width={Math.max(0.5, (high - low) * 100)} height="4" />
        <rect className="limit" x={threshold * 100 - 0.25} y="0" width="0.5" height="8" />
        <rect className="point" x={Math.min(98.8, accuracy * 100 - 0.6)} y="0.5" width="1.2" height="7" />
      </svg>
    </div>
  );
}
