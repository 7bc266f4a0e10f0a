/** Playing questions: one HIT, from where its player stands. */

import { CheckingWork } from "../../checking/CheckingWork";
import type { Hit } from "../../checking/hit";
import { dialogIsOpen } from "../../design/dialog/Dialog";
import type { Config, Desk, Page, WorkProps } from "../page";
import { playing } from "./kind";
import { Preview } from "./Preview";
import "./page.css";
import { type Play, type Revealed, readTerms } from "./plays";
import { Reader } from "./reader";

/** Nobody can buzz under a dialog, or where the page is not seen. */
const isAway = () => document.hidden || dialogIsOpen();

function bind(config: Config, { revealed }: Hit<Play>, desk: Desk) {
  const terms = readTerms(config);
  const reader = new Reader(desk, revealed as Readonly<Record<string, Revealed>>, isAway);
  return { terms, kind: playing(terms, reader) };
}

function Work(props: WorkProps) {
  return <CheckingWork work="question" bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
