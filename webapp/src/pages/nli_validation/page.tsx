/** Verification of statements: one HIT, from where its verifier stands. */

import { CheckingWork } from "../../checking/CheckingWork";
import type { Config, Page, WorkProps } from "../page";
import { readTerms } from "./judgements";
import { judging } from "./kind";
import { Preview } from "./Preview";

function bind(config: Config) {
  const terms = readTerms(config);
  return { terms, kind: judging(terms) };
}

function Work(props: WorkProps) {
  return <CheckingWork work="statement" bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
