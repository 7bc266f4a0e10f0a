/** What a newcomer sees before accepting the HIT: what the screening is, its steps, and one of them switched off. */

import type { ReactNode } from "react";

import { PreviewPage } from "../work/PreviewPage";
import { DisabledSubmit } from "../work/fields/DisabledSubmit";
import type { Guide } from "../work/guide/guide";
import { say } from "../words/say";
import { Progress, type StepNames } from "./Progress";
import type { QuizTerms } from "./screening";

interface Props {
  terms: QuizTerms;
  stepNames: StepNames;
  guide: Guide;
  /** What the step is about, and what it asks for with the fields for it. */
  reading: ReactNode;
  children: ReactNode;
}

export function StepPreview({ terms, stepNames, guide, reading, children }: Props) {
  const steps = [...terms.steps, "sample"].map((kind, index) => ({ id: String(index), kind }));
  return (
    <PreviewPage
      terms={terms}
      promise={say("screening.promise")}
      introduction={<Progress steps={steps} names={stepNames} done={-1} />}
      guide={guide}
      reading={reading}
    >
      <div className="composer card">
        {children}
        <DisabledSubmit label={say("screening.check")} />
      </div>
    </PreviewPage>
  );
}
