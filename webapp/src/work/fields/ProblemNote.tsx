/** What is wrong with what stands in a form, said aloud. */

import type { Problem } from "../../crowd/packets";
import { Icon } from "../../design/icons/Icon";
import "./fields.css";

export function ProblemNote({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <div id={`${id}-problem`} role="alert" className="problem">
      {problem && (
        <p>
          <Icon name="warning" />
          <span>{withWait(problem)}</span>
        </p>
      )}
    </div>
  );
}

function withWait({ message, retry_after_seconds }: Problem): string {
  const seconds = Math.ceil(retry_after_seconds ?? 0);
  return seconds > 0 ? `${message} (Try again in ${seconds} s.)` : message;
}
