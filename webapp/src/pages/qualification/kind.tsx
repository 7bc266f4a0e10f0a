/** How newcomers to reading comprehension are trained and qualified. */

import type { ReactNode } from "react";

import { NO_QUESTION, isQuestionEntry } from "../../kinds/reading_comprehension/entry";
import { questions } from "../../kinds/reading_comprehension/questions";
import { markingShortcuts } from "../../passage/shortcuts";
import type { ScreeningKind } from "../../screening/kind";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import { StepFields } from "./StepFields";
import { screeningGuide } from "./guide";
import { type QuestionTypes, type QuizTerms, STEP_NAMES, findStepProblem, workOf } from "./steps";

export function questionScreening(terms: QuizTerms): ScreeningKind<QuestionTypes> {
  return {
    terms,
    stepNames: STEP_NAMES,
    guide: screeningGuide(terms),
    sampleNotice: say("reading_screening.notice", { least: terms.min_attempts }),
    shortcuts: markingShortcuts(),
    empty: NO_QUESTION,
    isEntry: isQuestionEntry,
    workOf,
    findProblem: (step, entry) => findStepProblem(step, entry, terms),
    step: (responding) => <StepFields terms={terms} {...responding} />,
    praise: ({ model_answer: model }, step) => (
      <p>{model ? praise(model, step.kind === "question" ? step.answer?.text : undefined) : say("reading_screening.praise")}</p>
    ),
    sample: (sample) => questions(terms, sample),
  };
}

/** `answer` is the one that was given, where one was. */
function praise(model: string, answer: string | undefined): ReactNode {
  if (answer === undefined) {
    return <Say of="reading_screening.praise.model" args={{ model: foreign(model) }} />;
  }
  return <Say of="reading_screening.praise.both" args={{ model: foreign(model), answer: foreign(answer) }} />;
}

function foreign(text: string): ReactNode {
  return <span {...ofData()}>{text}</span>;
}
