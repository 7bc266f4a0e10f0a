/** Adversarial natural language inference: one HIT, from where its writer stands. */

import { useMemo } from "react";

import { statements } from "../../kinds/nli/statements";
import { type StatementAttempt, type StatementTask, isStatementTask, readTerms } from "../../kinds/nli/terms";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import { WritingPage } from "../../writing/WritingPage";
import type { Hit } from "../../writing/hit";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function Work({ task, ...others }: WorkProps) {
  return isStatementTask(task) ? (
    <Statements task={task} {...others} />
  ) : (
    <Notice title="This HIT has no text">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Statements({ config, task, ...others }: WorkProps & { task: StatementTask }) {
  const terms = useMemo(() => readTerms(config), [config]);
  const kind = useMemo(() => statements(terms, task.context, task.brief.target), [terms, task]);
  return (
    <Opening<{ hit: Hit<StatementAttempt> }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <WritingPage kind={kind} terms={terms} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
