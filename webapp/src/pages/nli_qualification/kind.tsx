/** How newcomers to adversarial natural language inference are trained and qualified. */

import { statements } from "../../kinds/nli/statements";
import type { ScreeningKind } from "../../screening/kind";
import { say } from "../../words/say";
import { LabellingFields } from "./LabellingFields";
import { Praise } from "./Praise";
import { WritingFields } from "./WritingFields";
import { screeningGuide } from "./guide";
import { NOTHING, type PairTypes, type QuizTerms, STEP_NAMES, findStepProblem, isStepEntry, workOf } from "./steps";
import "./page.css";

export function pairScreening(terms: QuizTerms): ScreeningKind<PairTypes> {
  return {
    terms,
    stepNames: STEP_NAMES,
    guide: screeningGuide(terms),
    sampleNotice: say("nli_screening.notice", { least: terms.min_attempts }),
    shortcuts: [],
    empty: NOTHING,
    isEntry: isStepEntry,
    workOf,
    findProblem: (step, entry) => findStepProblem(step, entry, terms),
    step: ({ step, ...responding }) =>
      step.kind === "labelling" ? (
        <LabellingFields step={step} {...responding} />
      ) : (
        <WritingFields step={step} maxChars={terms.max_hypothesis_chars} {...responding} />
      ),
    praise: (response, step) => <Praise response={response} step={step} />,
    sample: (sample) => statements(terms, sample, sample.brief.target),
  };
}
