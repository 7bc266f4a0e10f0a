/** What is wrong with what stands in a form, said aloud. */

import type { Problem as Fault } from "../../crowd/packets";
import { Problem } from "../../design/problem/Problem";
import { say } from "../../words/say";

export function ProblemNote({ id, problem }: { id: string; problem: Fault | null }) {
  return <Problem id={`${id}-problem`} message={problem === null ? "" : withWait(problem)} />;
}

function withWait({ message, retry_after_seconds }: Fault): string {
  const seconds = Math.ceil(retry_after_seconds ?? 0);
  return seconds > 0 ? say("work.retry_after", { message, seconds }) : message;
}
