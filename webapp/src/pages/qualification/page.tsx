/** Training and qualification: asks the server where the newcomer stands, then shows the step, the sample or the end. */

import { type ReactNode, useEffect, useMemo, useState } from "react";

import { ConnectionState, Stat, TimeLeft, WorkHeader } from "../../header/WorkHeader";
import { Notice } from "../../session/Notice";
import type { Page, WorkProps } from "../page";
import { WritingPage } from "../reading_comprehension/WritingPage";
import "../reading_comprehension/page.css";
import { Closing } from "./Closing";
import { Purpose } from "./Guide";
import { Preview } from "./Preview";
import { Progress } from "./Progress";
import { StepPage } from "./StepPage";
import { type Response, type Screening, readQuizTerms } from "./screening";
import "./page.css";

type Start = { state: "asking" } | { state: "ready"; screening: Screening } | { state: "failed"; message: string };

const NEXT =
  "A person will now look at everything that you wrote, and decide whether you get the qualification for the paid HITs. " +
  "The crowd tells you when you have it.";

function Work(props: WorkProps) {
  const { desk } = props;
  const [start, setStart] = useState<Start>({ state: "asking" });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let current = true;
    void desk.call<{ screening: Screening }>("state", {}).then((reply) => {
      if (current) {
        setStart(
          reply.ok ? { state: "ready", screening: reply.screening } : { state: "failed", message: reply.error.message },
        );
      }
    });
    return () => {
      current = false;
    };
  }, [desk, asked]);

  if (start.state === "failed") {
    return (
      <Notice title="The screening could not be opened" action={{ name: "Try again", run: () => setAsked(asked + 1) }}>
        {start.message}
      </Notice>
    );
  }
  if (start.state === "asking") {
    return <Notice title="Opening your HIT …" busy />;
  }
  return <Screen initial={start.screening} {...props} />;
}

function Screen({ initial, config, task, assignment, desk, over, finish }: WorkProps & { initial: Screening }) {
  const terms = useMemo(() => readQuizTerms(config), [config]);
  const [screening, setScreening] = useState(initial);
  const [last, setLast] = useState<Response | null>(null);
  const { phase, steps, steps_done, step, sample, hit, seconds_left } = screening;
  const endsAt = useMemo(() => (seconds_left === null ? null : Date.now() + seconds_left * 1000), [seconds_left]);
  const done = last?.right === true;
  const where = (
    <>
      <Progress steps={steps} done={phase === "submitted" ? steps.length : steps_done} />
      <Praise response={done ? last : null} />
    </>
  );

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
        finish={(finalData, onWait) => finish(finalData, onWait, NEXT)}
        intro={
          <>
            {where}
            <p className="notice" data-testid="sample">
              The last step is a sample of the paid HITs. Ask at least {terms.min_attempts} questions. You need not beat
              the AI in order to pass: a person will look at your questions.
            </p>
          </>
        }
      />
    );
  }
  const header = (
    <WorkHeader title={terms.task_title}>
      <Stat label="Step" testId="step">
        {Math.min(steps_done + 1, steps.length)} <small>of {steps.length}</small>
      </Stat>
      {step !== null && (
        <Stat label="Tries left" testId="tries-left">
          {step.tries_left}
        </Stat>
      )}
      <TimeLeft endsAt={endsAt} />
      <ConnectionState desk={desk} />
    </WorkHeader>
  );
  if (phase !== "steps" || step === null) {
    return (
      <>
        {header}
        <main>
          <Progress steps={steps} done={phase === "submitted" ? steps.length : steps_done} />
          <Closing terms={terms} screening={screening} over={over} finish={finish} />
        </main>
      </>
    );
  }
  return (
    <>
      {header}
      <StepPage
        key={step.id}
        terms={terms}
        step={step}
        assignment={assignment}
        desk={desk}
        over={over}
        arrived={done}
        onResponse={(response, now) => {
          setLast(response);
          setScreening(now);
        }}
      >
        {where}
        <Purpose terms={terms} />
      </StepPage>
    </>
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

export const qualification: Page = { Work, Preview };
