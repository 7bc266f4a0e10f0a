/** Adversarial natural language inference: one HIT, from where its writer stands. */

import { statements } from "../../kinds/nli/statements";
import { isStatementTask, readTerms, type StatementTask } from "../../kinds/nli/terms";
import { WritingWork } from "../../writing/WritingWork";
import type { Config, Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function bind({ config, task }: { config: Config; task: StatementTask }) {
  const terms = readTerms(config);
  return { terms, kind: statements(terms, task.context, task.brief.target) };
}

function Work(props: WorkProps) {
  return <WritingWork subject="text" isTask={isStatementTask} bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
