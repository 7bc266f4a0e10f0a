/** Training and qualification: the step at which the newcomer stands, the sample or the end. */

import { type ReactNode, useMemo, useState } from "react";

import { Opening } from "../../work/Opening";
import { ConnectionState, Stat, TimeLeft, WorkHeader } from "../../work/header/WorkHeader";
import { endOf } from "../../work/header/useSecondsLeft";
import { WritingPage } from "../../writing/WritingPage";
import type { Page, WorkProps } from "../page";
import { Closing } from "./Closing";
import { Preview } from "./Preview";
import { Progress } from "./Progress";
import { StepPage } from "./StepPage";
import { Purpose } from "./guide";
import { type Response, type Screening, readQuizTerms } from "./screening";
import "./page.css";

const NEXT =
  "A person will now look at everything that you wrote, and decide whether you get the qualification for the paid HITs. " +
  "The crowd tells you when you have it.";

function Work(props: WorkProps) {
  return (
    <Opening<{ screening: Screening }> desk={props.desk} refusal="The screening could not be opened">
      {({ screening }) => <Course initial={screening} {...props} />}
    </Opening>
  );
}

function Course({ initial, config, task, assignment, desk, over, finish }: WorkProps & { initial: Screening }) {
  const terms = useMemo(() => readQuizTerms(config), [config]);
  const [screening, setScreening] = useState(initial);
  const [last, setLast] = useState<Response | null>(null);
  const { phase, steps, steps_done, step, sample, hit, seconds_left } = screening;
  const endsAt = useMemo(() => endOf(seconds_left), [seconds_left]);
  const done = last?.right === true;
  const progress = <Progress steps={steps} done={phase === "submitted" ? steps.length : steps_done} />;
  const praise = <Praise response={done ? last : null} />;

  if (phase === "sample" && sample !== null && hit !== null) {
    const { hit: name } = task as { hit: string };
    return (
      <WritingPage
        terms={terms}
        begun
        task={{ context: sample, hit: name }}
        initial={hit}
        assignment={assignment}
        desk={desk}
        over={over}
        finish={finish}
        next={NEXT}
        intro={
          <>
            {progress}
            {praise}
            <p className="notice" data-testid="sample">
              The last step is a sample of the paid HITs. Ask at least {terms.min_attempts} questions. You need not beat
              the AI in order to pass: a person will look at your questions.
            </p>
          </>
        }
      />
    );
  }
  const stats = (
    <>
      <Stat label="Step" testId="step">
        {Math.min(steps_done + 1, steps.length)} <small>of {steps.length}</small>
      </Stat>
      {step !== null && (
        <Stat label="Tries left" testId="tries-left">
          {step.tries_left}
        </Stat>
      )}
    </>
  );
  if (phase !== "steps" || step === null) {
    return (
      <>
        <WorkHeader title={terms.task_title}>
          {stats}
          <TimeLeft endsAt={endsAt} />
          <ConnectionState desk={desk} />
        </WorkHeader>
        <main className="work">
          {progress}
          <Closing terms={terms} screening={screening} over={over} finish={finish} />
        </main>
      </>
    );
  }
  return (
    <StepPage
      key={step.id}
      terms={terms}
      step={step}
      stats={stats}
      endsAt={endsAt}
      assignment={assignment}
      desk={desk}
      over={over}
      arrived={done}
      onResponse={(response, now) => {
        setLast(response);
        setScreening(now);
      }}
    >
      {progress}
      {praise}
      <Purpose terms={terms} />
    </StepPage>
  );
}

/** What is said about the step that was just done. */
function Praise({ response }: { response: Response | null }): ReactNode {
  return (
    <p role="status" className={response ? "notice praise" : "praise"}>
      {response && "Right! "}
      {response?.model_answer && (
        <>
          To your question the AI answered “<span dir="auto">{response.model_answer}</span>”.
        </>
      )}
    </p>
  );
}

export const page: Page = { Work, Preview };
