/** Beat the AI at reading comprehension: one HIT, from where its writer stands. */

import { useMemo } from "react";

import { questions } from "../../kinds/reading_comprehension/questions";
import { type QuestionAttempt, readTerms } from "../../kinds/reading_comprehension/terms";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import { WritingPage } from "../../writing/WritingPage";
import { type Hit, isTask, type Task } from "../../writing/hit";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function Work({ task, ...others }: WorkProps) {
  return isTask(task) ? (
    <Questions task={task} {...others} />
  ) : (
    <Notice title="This HIT has no passage">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Questions({ config, task, ...others }: WorkProps & { task: Task }) {
  const terms = useMemo(() => readTerms(config), [config]);
  const kind = useMemo(() => questions(terms, task.context), [terms, task]);
  return (
    <Opening<{ hit: Hit<QuestionAttempt> }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <WritingPage kind={kind} terms={terms} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
