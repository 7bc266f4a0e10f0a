/** Answer validation: one HIT, from where its validator stands. */

import { useMemo } from "react";

import { CheckingPage } from "../../checking/CheckingPage";
import { type Hit, type Task, isTask } from "../../checking/hit";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { type Answer, type Question, readTerms } from "./answers";
import { answering } from "./kind";

function Work({ task, ...others }: WorkProps) {
  return isTask(task) ? (
    <Questions task={task as Task<Question>} {...others} />
  ) : (
    <Notice title="This HIT has no questions">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Questions({ config, task, ...others }: WorkProps & { task: Task<Question> }) {
  const terms = useMemo(() => readTerms(config), [config]);
  const kind = useMemo(() => answering(terms), [terms]);
  return (
    <Opening<{ hit: Hit<Answer> }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <CheckingPage kind={kind} terms={terms} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
