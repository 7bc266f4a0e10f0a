/** Pages of the feed, put together. */

import type { Feed, Verdict } from "./records";

/** Whether the first page has verdicts that are not shown. */
export function brings(first: Feed, shown: Feed): boolean {
  return without(first.verdicts, shown.verdicts).length > 0;
}

/** The newest page before what was shown; what came in between is asked for again where a page does not reach back. */
export function joined(first: Feed, shown: Feed): Feed {
  const older = without(shown.verdicts, first.verdicts);
  const reachesBack = older.length < shown.verdicts.length || first.before === null;
  return reachesBack && older.length > 0 ? { ...shown, verdicts: [...first.verdicts, ...older] } : first;
}

export function without(verdicts: readonly Verdict[], known: readonly Verdict[]): readonly Verdict[] {
  const names = new Set(known.map(({ attempt }) => attempt));
  return verdicts.filter(({ attempt }) => !names.has(attempt));
}
