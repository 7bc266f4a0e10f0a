/** Answer validation: one HIT, from where its validator stands. */

import { CheckingWork } from "../../checking/CheckingWork";
import type { Config, Page, WorkProps } from "../page";
import { readTerms } from "./answers";
import { answering } from "./kind";
import { Preview } from "./Preview";

function bind(config: Config) {
  const terms = readTerms(config);
  return { terms, kind: answering(terms) };
}

function Work(props: WorkProps) {
  return <CheckingWork work="question" bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
