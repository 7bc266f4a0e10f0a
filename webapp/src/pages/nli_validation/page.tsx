/** Verification of statements: one HIT, from where its verifier stands. */

import { useMemo } from "react";

import { CheckingPage } from "../../checking/CheckingPage";
import { type Hit, type Task, isTask } from "../../checking/hit";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { type Judgement, type Statement, readTerms } from "./judgements";
import { judging } from "./kind";

function Work({ task, ...others }: WorkProps) {
  return isTask(task) ? (
    <Statements task={task as Task<Statement>} {...others} />
  ) : (
    <Notice title="This HIT has no statements">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Statements({ config, task, ...others }: WorkProps & { task: Task<Statement> }) {
  const terms = useMemo(() => readTerms(config), [config]);
  const kind = useMemo(() => judging(terms), [terms]);
  return (
    <Opening<{ hit: Hit<Judgement> }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <CheckingPage kind={kind} terms={terms} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
