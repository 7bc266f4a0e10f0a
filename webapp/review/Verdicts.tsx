/** What reviewers said of a HIT: one's own verdict, and the others' once it stands. */

import { Icon } from "../src/design/icons/Icon";
import type { Review, Verdicts as HitVerdicts } from "./records";
import "./verdicts.css";

export function Verdicts({ mine, others, judged_by_others }: HitVerdicts) {
  return (
    <div className="verdicts">
      {mine === null ? (
        <p>
          <Icon name="clock" />
          <span>
            You have not judged it.
            {judged_by_others && " Another reviewer has: you will see how once you have judged."}
          </span>
        </p>
      ) : (
        <Line review={mine} who="You" />
      )}
      {others.map((review) => (
        <Line key={review.reviewer} review={review} who={review.reviewer} />
      ))}
    </div>
  );
}

function Line({ review: { verdict, reason }, who }: { review: Review; who: string }) {
  const accepted = verdict === "accept";
  return (
    <p data-verdict={verdict}>
      <Icon name={accepted ? "good" : "bad"} />
      <span>
        <strong>
          {who} {accepted ? "accepted" : "rejected"} it
        </strong>
        {reason && <span dir="auto">: {reason}</span>}
      </span>
    </p>
  );
}
