import type { StatementAttempt } from "./terms";
import { say } from "../../words/say";

/** A verdict in a sentence: what comes next. */
export function comesNext({ fooled, explanation }: StatementAttempt, isChecked: boolean): string {
  if (!fooled) {
    return say("nli.next.loss");
  }
  if (explanation === null) {
    return say("nli.next.explain");
  }
  return say(isChecked ? "nli.next.checked" : "nli.next.counts");
}
