/** Quizbowl: one HIT, from where its author stands. */

import { useEffect, useMemo } from "react";

import type { Shown } from "../../kinds/quizbowl/guesses";
import { questions } from "../../kinds/quizbowl/questions";
import {
  type Question,
  type QuestionAttempt,
  type QuestionTask,
  isQuestion,
  isQuestionTask,
  readTerms,
} from "../../kinds/quizbowl/terms";
import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import { WritingPage } from "../../writing/WritingPage";
import { Hints, memoriesOf } from "../../writing/hints";
import type { Hit } from "../../writing/hit";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function Work({ task, ...others }: WorkProps) {
  return isQuestionTask(task) ? (
    <Questions task={task} {...others} />
  ) : (
    <Notice title="This HIT has no category">Please return it and try another one. Nothing of yours is lost.</Notice>
  );
}

function Questions({ config, task, ...others }: WorkProps & { task: QuestionTask }) {
  const { desk, assignment } = others;
  const terms = useMemo(() => readTerms(config), [config]);
  const hints = useMemo(() => {
    const memories = memoriesOf(assignment, isQuestion);
    return new Hints<Question, Shown>(desk, task.context.id, ({ text }) => text, memories);
  }, [assignment, desk, task]);
  const kind = useMemo(() => questions(terms, task.brief, desk, hints), [terms, task, desk, hints]);
  useEffect(() => hints.resume(), [hints]);
  return (
    <Opening<{ hit: Hit<QuestionAttempt> }> desk={desk} refusal="The HIT could not be opened">
      {({ hit }) => <WritingPage kind={kind} terms={terms} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
