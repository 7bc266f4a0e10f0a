/** Playing questions: one HIT, from where its player stands. */

import { useMemo } from "react";

import { CheckingPage } from "../../checking/CheckingPage";
import { type Hit, type Task, isTask } from "../../checking/hit";
import { dialogIsOpen } from "../../design/dialog/Dialog";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { playing } from "./kind";
import "./page.css";
import { type Play, type Revealed, readTerms } from "./plays";
import { Reader } from "./reader";

type PlayedHit = Hit<Play> & { revealed: Readonly<Record<string, Revealed>> };

/** Nobody can buzz under a dialog, or where the page is not seen. */
const isAway = () => document.hidden || dialogIsOpen();

function Work({ task, ...others }: WorkProps) {
  return isTask(task) ? (
    <Opening<{ hit: PlayedHit }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <Questions task={task} initial={hit} {...others} />}
    </Opening>
  ) : (
    <Notice title="This HIT has no questions">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Questions({ config, initial, ...others }: Omit<WorkProps, "task"> & { task: Task; initial: PlayedHit }) {
  const { desk } = others;
  const terms = useMemo(() => readTerms(config), [config]);
  const reader = useMemo(() => new Reader(desk, initial.revealed, isAway), [desk, initial]);
  const kind = useMemo(() => playing(terms, reader), [terms, reader]);
  return <CheckingPage kind={kind} terms={terms} initial={initial} {...others} />;
}

export const page: Page = { Work, Preview };
