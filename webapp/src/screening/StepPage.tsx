/** One step of the quiz: what is asked for, and what was wrong with it so far. */

import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useSyncExternalStore } from "react";

import type { Desk } from "../pages/page";
import { WorkPage } from "../work/WorkPage";
import { ProblemNote } from "../work/fields/ProblemNote";
import { SubmitButton } from "../work/fields/SubmitButton";
import { say } from "../words/say";
import { Drafts } from "../writing/drafts";
import { Mistakes } from "./Mistakes";
import type { ScreeningKind } from "./kind";
import type { Screening, Types } from "./screening";
import { useResponse } from "./useResponse";

interface Props<T extends Types> {
  kind: ScreeningKind<T>;
  step: T["Step"];
  stats: ReactNode;
  endsAt: number | null;
  assignment: string;
  desk: Desk;
  over: boolean;
  /** The step before was just done: then the focus comes here. */
  arrived: boolean;
  /** The work on this step has begun. */
  onEdit: () => void;
  onResponse: (response: T["Response"], screening: Screening<T>) => void;
  children: ReactNode;
}

export function StepPage<T extends Types>(props: Props<T>) {
  const { kind, step, assignment, desk, over, arrived, onResponse } = props;
  const id = useId();
  const drafts = useMemo(() => new Drafts(`${assignment}:${step.id}`, kind.isEntry), [assignment, step.id, kind]);
  const { work, edit, submit, retry } = useResponse(desk, drafts, step, kind, (response, screening) => {
    if (response.right) {
      drafts.remove();
    }
    onResponse(response, screening);
  });
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const heading = useRef<HTMLHeadingElement>(null);
  const mistakeHeading = useRef<HTMLHeadingElement>(null);
  const mistakes = step.mistakes.length;
  const seen = useRef(mistakes);

  useEffect(() => {
    if (arrived) {
      heading.current?.focus();
    }
  }, [arrived]);
  useEffect(() => {
    if (mistakes > seen.current) {
      mistakeHeading.current?.focus();
    }
    seen.current = mistakes;
  }, [mistakes]);

  return (
    <WorkPage
      title={kind.terms.task_title}
      stats={props.stats}
      endsAt={props.endsAt}
      desk={desk}
      guide={kind.guide}
      submit={{ words: say("screening.check.shortcut"), run: () => over || submit() }}
      shortcuts={kind.shortcuts}
    >
      {props.children}
      {kind.step({
        step,
        entry: work.entry,
        problem: work.problem,
        frozen: work.sent || over,
        id,
        heading,
        onEdit: (change) => {
          props.onEdit();
          edit(change);
        },
        onSubmit: (event: FormEvent) => {
          event.preventDefault();
          submit();
        },
        ending: (
          <>
            <ProblemNote id={id} problem={work.problem} />
            <SubmitButton
              label={say("screening.check")}
              waiting={say("screening.checking")}
              sent={work.sent}
              connected={connection === "connected"}
              disabled={over}
              onRetry={retry}
            />
          </>
        ),
        mistakes: <Mistakes mistakes={step.mistakes} triesLeft={step.tries_left} heading={mistakeHeading} />,
      })}
    </WorkPage>
  );
}
