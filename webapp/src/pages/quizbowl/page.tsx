/** Quizbowl: one HIT, from where its author stands. */

import type { Shown } from "../../kinds/quizbowl/guesses";
import { questions } from "../../kinds/quizbowl/questions";
import { isQuestion, isQuestionTask, type Question, type QuestionTask, readTerms } from "../../kinds/quizbowl/terms";
import { Hints, memoriesOf } from "../../writing/hints";
import { WritingWork } from "../../writing/WritingWork";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";

interface Binding extends Pick<WorkProps, "config" | "desk" | "assignment"> {
  task: QuestionTask;
}

function bind({ config, task, desk, assignment }: Binding) {
  const terms = readTerms(config);
  if (!terms.shows_model) {
    return { terms, kind: questions(terms, task.brief, desk, null) };
  }
  const memories = memoriesOf(assignment, isQuestion);
  const hints = new Hints<Question, Shown>(desk, task.context.id, ({ text }) => text, memories);
  return { terms, kind: questions(terms, task.brief, desk, hints), resume: () => hints.resume() };
}

function Work(props: WorkProps) {
  return <WritingWork subject="category" isTask={isQuestionTask} bind={bind} {...props} />;
}

export const page: Page = { Work, Preview };
