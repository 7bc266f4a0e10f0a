/** What works and contexts are called in the campaign's kind of task, for what the pages say of them. */

import { createContext, useContext } from "react";

import type { Words } from "./records";

const KindWords = createContext<Words>({ work: "work", works: "works", context: "context", contexts: "contexts", faults: [] });

export const ProvideWords = KindWords.Provider;

export function useWords(): Words {
  return useContext(KindWords);
}
