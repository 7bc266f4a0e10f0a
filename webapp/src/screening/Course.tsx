/** Training and qualification: the step at which the newcomer stands, the sample or the end. */

import { type ReactNode, useEffect, useMemo, useState } from "react";

import { isWithoutCrowd } from "../crowd/provider";
import type { WorkProps } from "../pages/page";
import { Opening } from "../work/Opening";
import { ConnectionState, Stat, TimeLeft, WorkHeader } from "../work/header/WorkHeader";
import { endOf } from "../work/header/useSecondsLeft";
import { Say } from "../words/Say";
import { say } from "../words/say";
import { WritingPage } from "../writing/WritingPage";
import { Closing } from "./Closing";
import { Progress } from "./Progress";
import { StepPage } from "./StepPage";
import { Goal } from "./guide";
import type { ScreeningKind } from "./kind";
import type { Screening, Types } from "./screening";
import "./screening.css";

interface Props<T extends Types> extends Omit<WorkProps, "config"> {
  kind: ScreeningKind<T>;
}

export function Course<T extends Types>(props: Props<T>) {
  return (
    <Opening<{ screening: Screening<T> }> desk={props.desk} refusal={say("screening.refused")}>
      {({ screening }) => <Stages initial={screening} {...props} />}
    </Opening>
  );
}

function Stages<T extends Types>({ kind, initial, task, ...props }: Props<T> & { initial: Screening<T> }) {
  const { assignment, desk, over, finish } = props;
  const { terms } = kind;
  const [screening, setScreening] = useState(initial);
  const [last, setLast] = useState<{ response: T["Response"]; step: T["Step"] } | null>(null);
  const { phase, steps, steps_done, step, sample, hit, seconds_left } = screening;
  const endsAt = useMemo(() => endOf(seconds_left), [seconds_left]);
  const sampleKind = useMemo(() => (sample === null ? null : kind.sample(sample)), [kind, sample]);
  const done = last?.response.right === true;
  useEffect(() => {
    // What is said of the step before would be misread beside the work on the next one.
    const forget = () => setLast(null);
    document.addEventListener("input", forget);
    return () => document.removeEventListener("input", forget);
  }, []);
  const progress = (
    <Progress steps={steps} names={kind.stepNames} done={phase === "submitted" ? steps.length : steps_done} />
  );
  const praise = (
    <div role="status" className={done ? "notice praise" : "praise"}>
      {done && (
        <>
          <p>
            <strong>
              {say("screening.step.done", { place: steps.findIndex(({ id }) => id === last.step.id) + 1 })}
            </strong>
          </p>
          {kind.praise(last.response, last.step)}
        </>
      )}
    </div>
  );

  if (phase === "sample" && sample !== null && sampleKind !== null && hit !== null) {
    const { hit: name } = task as { hit: string };
    return (
      <WritingPage
        {...props}
        kind={sampleKind}
        terms={terms}
        begun
        task={{ context: sample, hit: name, arm: null }}
        initial={hit}
        next={say("screening.next", { crowd: isWithoutCrowd() ? "none" : "some" })}
        intro={
          <>
            {progress}
            {praise}
            <p className="notice" data-testid="sample">
              {kind.sampleNotice}
            </p>
          </>
        }
      />
    );
  }
  const stats = (
    <>
      <Stat label={say("screening.step")} testId="step">
        <Say
          of="screening.step.of"
          args={{ place: Math.min(steps_done + 1, steps.length), count: steps.length }}
          tags={{ small }}
        />
      </Stat>
      {step !== null && (
        <Stat label={say("screening.tries_left")} testId="tries-left">
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
          <Closing terms={terms} failed={phase === "failed" ? step : null} over={over} finish={finish} />
        </main>
      </>
    );
  }
  return (
    <StepPage
      key={step.id}
      kind={kind}
      step={step}
      stats={stats}
      endsAt={endsAt}
      assignment={assignment}
      desk={desk}
      over={over}
      arrived={done}
      onEdit={() => setLast(null)}
      onResponse={(response, now) => {
        setLast({ response, step });
        setScreening(now);
      }}
    >
      {progress}
      {praise}
      <Goal terms={terms} />
    </StepPage>
  );
}

function small(text: ReactNode[]): ReactNode {
  return <small>{text}</small>;
}
