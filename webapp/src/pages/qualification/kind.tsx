/** How newcomers to reading comprehension are trained and qualified. */

import { NO_QUESTION, isQuestionEntry } from "../../kinds/reading_comprehension/entry";
import { questions } from "../../kinds/reading_comprehension/questions";
import { MARKING_SHORTCUTS } from "../../passage/shortcuts";
import type { ScreeningKind } from "../../screening/kind";
import { StepFields } from "./StepFields";
import { screeningGuide } from "./guide";
import { type QuestionTypes, type QuizTerms, STEP_NAMES, findStepProblem, workOf } from "./steps";

export function questionScreening(terms: QuizTerms): ScreeningKind<QuestionTypes> {
  return {
    terms,
    stepNames: STEP_NAMES,
    guide: screeningGuide(terms),
    sampleNotice:
      `The last step is a sample of the paid HITs. Ask at least ${terms.min_attempts} questions. You need not beat the AI ` +
      "in order to pass: a person will look at your questions.",
    shortcuts: MARKING_SHORTCUTS,
    empty: NO_QUESTION,
    isEntry: isQuestionEntry,
    workOf,
    findProblem: (step, entry) => findStepProblem(step, entry, terms),
    step: (responding) => <StepFields terms={terms} {...responding} />,
    praise: ({ model_answer }, step) => (
      <p>
        {model_answer ? (
          <>
            Your question is right. The AI answered it “<span dir="auto">{model_answer}</span>”
            {step.kind === "question" && step.answer && (
              <>
                ; the answer that was given is “<span dir="auto">{step.answer.text}</span>”
              </>
            )}
            .
          </>
        ) : (
          "Right!"
        )}
      </p>
    ),
    sample: (sample) => questions(terms, sample),
  };
}
