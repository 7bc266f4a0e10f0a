/** One step of the quiz: a passage on one side, on the other what is asked for, and what was wrong with it so far. */

import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useSyncExternalStore } from "react";

import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { Columns } from "../../work/Columns";
import { WorkPage } from "../../work/WorkPage";
import { MarkedAnswer } from "../../work/fields/MarkedAnswer";
import { ProblemNote } from "../../work/fields/ProblemNote";
import { QuestionField } from "../../work/fields/QuestionField";
import { SubmitButton } from "../../work/fields/SubmitButton";
import { TypedAnswer } from "../../work/fields/TypedAnswer";
import { ExampleCard, ExamplePassage } from "../../work/guide/Examples";
import { Drafts } from "../../writing/drafts";
import type { Desk } from "../page";
import { Mistakes } from "./Mistakes";
import { Quotation } from "./Quotation";
import { screeningGuide } from "./guide";
import type { Example, QuizTerms, Response, Screening, Step } from "./screening";
import { useResponse } from "./useResponse";

interface Props {
  terms: QuizTerms;
  step: Step;
  stats: ReactNode;
  endsAt: number | null;
  assignment: string;
  desk: Desk;
  over: boolean;
  /** The step before was just done: then the focus comes here. */
  arrived: boolean;
  onResponse: (response: Response, screening: Screening) => void;
  children: ReactNode;
}

export function StepPage({ terms, step, assignment, desk, over, arrived, onResponse, ...props }: Props) {
  const { title, text } = step.passage;
  const id = useId();
  const tokens = useMemo(() => tokenise(text), [text]);
  const drafts = useMemo(() => new Drafts(`${assignment}:${step.id}`), [assignment, step.id]);
  const { work, edit, submit, retry } = useResponse(desk, drafts, step, terms, (response, screening) => {
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

  const frozen = work.sent || over;
  const hasAnswer = step.kind === "question";
  const answer = hasAnswer ? step.answer : work.answer;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <WorkPage
      title={terms.task_title}
      stats={props.stats}
      endsAt={props.endsAt}
      desk={desk}
      guide={screeningGuide(terms)}
      shortcut={{ words: "Check the step", run: () => over || submit() }}
    >
      {props.children}
      <Columns
        reading={
          <>
            <h2 dir="auto">{title}</h2>
            <Passage
              text={text}
              tokens={tokens}
              marked={answer && rangeOf(tokens, answer)}
              frozen={frozen || hasAnswer}
              onMark={(range) => edit({ answer: range && spanOf(text, tokens, range), typed: "" })}
            />
          </>
        }
      >
        <form className="composer card" onSubmit={onSubmit} noValidate>
          <h2 ref={heading} tabIndex={-1}>
            {step.instruction}
          </h2>
          {hasAnswer && step.answer && <Quotation name="The answer" text={step.answer.text} />}
          {step.question !== null && <Quotation name="The question" text={step.question} />}
          {step.kind !== "answer" && (
            <QuestionField
              id={id}
              question={work.question}
              problem={work.problem}
              maxQuestionChars={terms.max_question_chars}
              frozen={frozen}
              onQuestion={(question) => edit({ question })}
            />
          )}
          {!hasAnswer && (
            <>
              <MarkedAnswer
                answer={work.answer}
                frozen={frozen}
                onClear={() => edit({ answer: null, typed: "" })}
              />
              <TypedAnswer
                id={`${id}-typed`}
                text={text}
                tokens={tokens}
                typed={work.typed}
                answer={work.answer}
                wrong={work.problem?.field === "answer"}
                frozen={frozen}
                onTyped={(typed, span) => edit({ typed, answer: span })}
              />
            </>
          )}
          <ProblemNote id={id} problem={work.problem} />
          <SubmitButton
            label="Check"
            waiting="Checking …"
            sent={work.sent}
            connected={connection === "connected"}
            disabled={over}
            onRetry={retry}
          />
        </form>
        <Mistakes mistakes={step.mistakes} triesLeft={step.tries_left} heading={mistakeHeading} />
        <StepExamples passage={step.example_passage} examples={step.examples} />
      </Columns>
    </WorkPage>
  );
}

function StepExamples({ passage, examples }: { passage: string | null; examples: readonly Example[] }) {
  if (examples.length === 0) {
    return null;
  }
  return (
    <section className="examples" aria-label="Examples">
      {passage !== null && <ExamplePassage text={passage} />}
      {examples.map(({ good, text, why }) => (
        <ExampleCard key={text} example={{ question: text, why }} good={good} />
      ))}
    </section>
  );
}
