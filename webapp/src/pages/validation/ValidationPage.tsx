/** Answer validation: a passage on one side, one question after the other on the other. */

import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { Columns } from "../../work/Columns";
import { Earnings } from "../../work/Earnings";
import { HandIn } from "../../work/HandIn";
import { WorkPage } from "../../work/WorkPage";
import { Stat } from "../../work/header/WorkHeader";
import { endOf, useSecondsLeft } from "../../work/header/useSecondsLeft";
import { useHandIn } from "../../work/useHandIn";
import type { WorkProps } from "../page";
import { Places } from "./Places";
import { QuestionCard } from "./QuestionCard";
import { Drafts } from "./drafts";
import { Goal, validationGuide } from "./guide";
import type { Hit, Task, Terms } from "./hit";
import { WAITS_FOR_A_PERSON, standingOf } from "./standing";
import { useAnswers } from "./useAnswers";
import { answeredCount, isAnswered, shownAnswer, unsavedPlaces } from "./work";
import "./page.css";

interface Props extends Omit<WorkProps, "config" | "task"> {
  terms: Terms;
  task: Task;
  initial: Hit;
}

export function ValidationPage({ terms, task, initial, assignment, desk, over, finish }: Props) {
  const drafts = useMemo(() => new Drafts(assignment), [assignment]);
  const { work, change, save } = useAnswers(desk, drafts, task, terms, initial);
  const { delivery, handIn } = useHandIn(finish);
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const heading = useRef<HTMLHeadingElement>(null);

  const place = task.items.findIndex(({ id }) => id === work.current);
  const item = task.items[place]!;
  const { title, text } = task.contexts.find(({ id }) => id === item.context_id)!;
  const tokens = useMemo(() => tokenise(text), [text]);
  const shown = shownAnswer(work, item.id);
  const saving = work.saving !== null;
  const saved = isAnswered(work, item.id) && !(item.id in work.unsaved);
  const endsAt = useMemo(() => endOf(initial.seconds_left), [initial]);
  const timeIsOver = useSecondsLeft(endsAt) === 0;
  const ready = work.hit.complete || timeIsOver;
  const standing = timeIsOver && answeredCount(work) === 0 ? WAITS_FOR_A_PERSON : standingOf(work);
  const unsaved = unsavedPlaces(work);
  const frozen = over || saving;

  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      heading.current?.focus(); // the question has changed; the first one takes the focus from nothing
    }
    first.current = false;
  }, [work.current]);

  const go = (step: 1 | -1) => change({ type: "went", item: task.items[place + step]!.id });
  const finishNow = async () => {
    if (await handIn({ hit: task.hit, feedback: work.feedback.trim() })) {
      drafts.remove();
    }
  };

  return (
    <WorkPage
      title={terms.task_title}
      stats={
        <Stat label="Answered" testId="answered">
          {answeredCount(work)} <small>of {task.items.length}</small>
        </Stat>
      }
      endsAt={endsAt}
      desk={desk}
      guide={validationGuide(terms)}
      shortcut={{ words: "Save the answer", run: () => over || save() }}
    >
      <Goal terms={terms} />
      <Columns
        reading={
          <>
            {/* On a phone the question would be out of sight while its answer is marked. */}
            <p className="question-above" dir="auto" aria-hidden="true">
              {item.work.question}
            </p>
            <h2 dir="auto">{title.replaceAll("_", " ") || "The passage"}</h2>
            <Passage
              key={item.id}
              text={text}
              tokens={tokens}
              marked={shown.answer && rangeOf(tokens, shown.answer)}
              frozen={frozen}
              onMark={(range) => change({ type: "marked", answer: range && spanOf(text, tokens, range) })}
            />
          </>
        }
      >
        <Places work={work} onGo={(id) => change({ type: "went", item: id })} />
        <QuestionCard
          key={item.id}
          place={place + 1}
          of={task.items.length}
          question={item.work.question}
          text={text}
          tokens={tokens}
          shown={shown}
          problem={work.problem}
          frozen={frozen}
          heading={heading}
          onMarked={(answer) => change({ type: "marked", answer })}
          onTyped={(typed, answer) => change({ type: "typed", typed, answer })}
          onCannot={(cannot) => change({ type: "judged", cannot })}
          onSave={save}
        >
          <div className="submit">
            <button type="submit" className="primary" disabled={over} aria-disabled={saving}>
              {saving && <span className="spinner" aria-hidden="true" />}
              {saving ? "Saving …" : saved ? "Saved" : "Save answer"}
            </button>
            <div className="steps-buttons">
              <button type="button" disabled={place === 0} onClick={() => go(-1)}>
                Previous
              </button>
              <button type="button" disabled={place === task.items.length - 1} onClick={() => go(1)}>
                Next
              </button>
            </div>
            <div role="status" className="slow">
              {saving && connection !== "connected" && (
                <p>There is no connection at the moment. Your answer is sent as soon as it is back.</p>
              )}
            </div>
          </div>
        </QuestionCard>
        <HandIn
          standing={standing}
          lack={ready ? null : standing}
          isNext={ready}
          delivery={delivery}
          disabled={over}
          feedback={{ text: work.feedback, onChange: (feedback) => change({ type: "commented", feedback }) }}
          onHandIn={() => void finishNow()}
        >
          {work.hit.complete && unsaved.length > 0 && (
            <p>What you changed in question {unsaved.join(", ")} is not saved, and the earlier answer will count.</p>
          )}
        </HandIn>
      </Columns>
      <Earnings desk={desk} />
    </WorkPage>
  );
}
