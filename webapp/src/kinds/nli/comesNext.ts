import type { StatementAttempt } from "./terms";

/** A verdict in a sentence: what comes next. */
export function comesNext({ fooled, explanation }: StatementAttempt, isChecked: boolean): string {
  if (!fooled) {
    return "Change your statement, or write another one.";
  }
  if (explanation === null) {
    return "One thing more: please explain it, in a sentence each.";
  }
  return isChecked
    ? "Thank you. Other people will check your statement when you have handed the HIT in."
    : "Thank you. It counts when you have handed the HIT in.";
}
