/** One step of the quiz: a passage on one side, on the other what is asked for, and what was wrong with it so far. */

import { type FormEvent, type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from "react";
import { useSyncExternalStore } from "react";

import { Icon } from "../../icons/Icon";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { ShortcutsDialog } from "../../shortcuts/ShortcutsDialog";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import type { Desk } from "../page";
import { MarkedAnswer, ProblemNote, QuestionField, TypedAnswer } from "../reading_comprehension/Composer";
import { SubmitQuestion } from "../reading_comprehension/SubmitQuestion";
import { Drafts } from "../reading_comprehension/drafts";
import { Guide } from "./Guide";
import type { Example, Mistake, QuizTerms, Response, Screening, Step } from "./screening";
import { useResponse } from "./useResponse";

interface Props {
  terms: QuizTerms;
  step: Step;
  assignment: string;
  desk: Desk;
  over: boolean;
  /** Whether the step before was just done: then the focus comes here. */
  arrived: boolean;
  onResponse: (response: Response, screening: Screening) => void;
  children: ReactNode;
}

export function StepPage({ terms, step, assignment, desk, over, arrived, onResponse, children }: Props) {
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
  const [asksForKeys, setAsksForKeys] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const wrong = useRef<HTMLHeadingElement>(null);
  const mistakes = step.mistakes.length;
  const seen = useRef(mistakes);

  useShortcuts({ submit: () => over || submit(), help: () => setAsksForKeys(true) });
  useEffect(() => {
    if (arrived) {
      heading.current?.focus();
    }
  }, [arrived]);
  useEffect(() => {
    if (mistakes > seen.current) {
      wrong.current?.focus();
    }
    seen.current = mistakes;
  }, [mistakes]);

  const frozen = work.sent || over;
  const given = step.kind === "question";
  const answer = given ? step.answer : work.answer;
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <>
      <main>
        {children}
        <Instructions name="qualification" title="How it works">
          <Guide terms={terms} />
        </Instructions>
        <div className="columns">
          <div className="reading card">
            <h2 dir="auto">{title}</h2>
            <Passage
              text={text}
              tokens={tokens}
              marked={answer && rangeOf(tokens, answer)}
              frozen={frozen || given}
              onMark={(range) => edit({ answer: range && spanOf(text, tokens, range), typed: "" })}
            />
          </div>
          <div className="writing">
            <form className="composer card" onSubmit={submitted} noValidate>
              <h2 ref={heading} tabIndex={-1}>
                {step.instruction}
              </h2>
              {given && step.answer && <Given name="The answer" text={step.answer.text} />}
              {step.question !== null && <Given name="The question" text={step.question} />}
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
              {!given && (
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
                    onTyped={(typed, found) => edit({ typed, answer: found })}
                  />
                </>
              )}
              <ProblemNote id={id} problem={work.problem} />
              <SubmitQuestion
                label="Check"
                waiting="Checking …"
                sent={work.sent}
                connected={connection === "connected"}
                disabled={over}
                onRetry={retry}
              />
            </form>
            <Mistakes mistakes={step.mistakes} triesLeft={step.tries_left} heading={wrong} />
            <Examples passage={step.example_passage} examples={step.examples} />
          </div>
        </div>
      </main>
      <footer className="page-footer">
        <button type="button" className="quiet" onClick={() => setAsksForKeys(true)}>
          <Icon name="keyboard" />
          Keyboard shortcuts <kbd>?</kbd>
        </button>
      </footer>
      {asksForKeys && <ShortcutsDialog submits="Check the step" onClose={() => setAsksForKeys(false)} />}
    </>
  );
}

export function Given({ name, text }: { name: string; text: string }) {
  return (
    <div className="field">
      <p className="field-name">{name}</p>
      <blockquote className="given" dir="auto">
        {text}
      </blockquote>
    </div>
  );
}

interface MistakesProps {
  mistakes: readonly Mistake[];
  triesLeft: number;
  heading?: Ref<HTMLHeadingElement>;
}

/** The last mistake with its hint. */
export function Mistakes({ mistakes, triesLeft, heading }: MistakesProps) {
  const title = useId();
  const last = mistakes.at(-1);
  if (last === undefined) {
    return null;
  }
  const left =
    triesLeft === 0 ? "No try is left." : triesLeft === 1 ? "One try is left." : `${triesLeft} tries are left.`;
  return (
    <section className="mistake card" data-testid="mistake" aria-labelledby={title}>
      <h2 id={title} ref={heading} tabIndex={-1}>
        <Icon name="bad" />
        {triesLeft === 0 ? "Not right" : "Not yet"}
      </h2>
      <p>{last.message}</p>
      {last.hint !== null && (
        <p>
          <strong>Hint:</strong> {last.hint}
        </p>
      )}
      <p className="small">{left}</p>
    </section>
  );
}

function Examples({ passage, examples }: { passage: string | null; examples: readonly Example[] }) {
  if (examples.length === 0) {
    return null;
  }
  return (
    <section className="examples" aria-label="Examples">
      {passage !== null && (
        <p className="snippet">
          <strong>Example passage.</strong> {passage}
        </p>
      )}
      {examples.map(({ good, text, why }) => (
        <div key={text} className="example" data-good={good}>
          <p className="example-kind">
            <Icon name={good ? "good" : "bad"} />
            {good ? "Good" : "Not like this"}
          </p>
          <p className="example-question">{text}</p>
          <p className="example-why">{why}</p>
        </div>
      ))}
    </section>
  );
}
