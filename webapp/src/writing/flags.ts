/** What a writer may report of a verdict, in words. */

import type { FlagReason } from "./hit";

/** `context` is what people call what is written about: "passage". */
export function flagWords(context: string): Readonly<Record<FlagReason, string>> {
  return {
    ai_was_right: "The AI was right after all",
    context_problem: `Something is wrong with the ${context}`,
    other: "Something else",
  };
}
