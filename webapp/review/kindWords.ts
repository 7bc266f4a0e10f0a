/** What works and contexts are called in the campaign's kind of task, for what the pages say of them. */

import { createContext, useContext } from "react";

export interface KindWords {
  work: string;
  works: string;
  context: string;
  contexts: string;
  /** What may be wrong with a work, as sentences. */
  faults: readonly string[];
}

const Words = createContext<KindWords>({ work: "work", works: "works", context: "context", contexts: "contexts", faults: [] });

export const ProvideWords = Words.Provider;

export function useWords(): KindWords {
  return useContext(Words);
}
