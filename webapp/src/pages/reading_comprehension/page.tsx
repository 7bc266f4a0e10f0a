/** Beat the AI at reading comprehension: one HIT, from where its writer stands. */

import { questions } from "../../kinds/reading_comprehension/questions";
import { readTerms } from "../../kinds/reading_comprehension/terms";
import { isTask, type Task } from "../../writing/hit";
import { WritingWork } from "../../writing/WritingWork";
import type { Config, Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function bind({ config, task }: { config: Config; task: Task }) {
  const terms = readTerms(config);
  return { terms, kind: questions(terms, task.context) };
}

function Work(props: WorkProps) {
  return <WritingWork subject="passage" isTask={isTask} bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
