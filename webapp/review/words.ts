/** Times, amounts and names as people read them. */

import type { Standing, Words } from "./records";

export { amount, amountIn, countIn, percent } from "../src/work/money";

export function duration(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "2026-01-31 09:05 UTC" */
export function moment(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  candidate: "Candidate",
  qualified: "Qualified",
  revoked: "Revoked",
  blocked: "Blocked",
};

const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
  repeats_own: "Repeats the worker’s own {work}",
  repeats_other: "Like another worker’s {work}",
  copies_account: "The same {work} as of another account",
  copies_context: "Copies the {context}",
  gibberish: "Unlikely words",
  pasted: "Pasted",
  hardly_typed: "Hardly typed",
  fast: "Fast",
  unfinished: "Unfinished",
  empty: "Empty",
  rushed: "Rushed",
};

export function evidenceWord(kind: string, words: Words): string {
  return filled(EVIDENCE_WORDS[kind] ?? spelled(kind), words);
}

const FLAG_WORDS: Readonly<Record<string, string>> = {
  ai_was_right: "the AI was right after all",
  context_problem: "something is wrong with the {context}",
  other: "something else",
};

export function flagWord(reason: string, words: Words): string {
  return filled(FLAG_WORDS[reason] ?? spelled(reason), words);
}

function filled(text: string, { work, context }: Words): string {
  return text.replace("{work}", work).replace("{context}", context);
}

/** "sign_in_failed" → "Sign in failed" */
export function spelled(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
