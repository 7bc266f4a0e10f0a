/** What a writer may report of a verdict, in words. */

import { say } from "../words/say";
import type { FlagReason } from "./hit";

/** `context` is what is written about, as a select of messages has it: "passage". */
export function flagWords(context: string): Readonly<Record<FlagReason, string>> {
  return {
    ai_was_right: say("writing.flag.ai_was_right"),
    context_problem: say("writing.flag.context_problem", { context }),
    other: say("writing.flag.other"),
  };
}
