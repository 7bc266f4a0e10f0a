/** Answer validation: a passage on one side, one question after the other on the other. */

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { Earnings } from "../../earnings/Earnings";
import { ConnectionState, Stat, TimeLeft, WorkHeader } from "../../header/WorkHeader";
import { useSecondsLeft } from "../../header/useSecondsLeft";
import { Icon } from "../../icons/Icon";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { ShortcutsDialog } from "../../shortcuts/ShortcutsDialog";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import type { WorkProps } from "../page";
import { type Finishing, HandIn } from "./HandIn";
import { Places } from "./Places";
import { QuestionCard } from "./QuestionCard";
import { Goal, Rules } from "./Rules";
import { Drafts } from "./drafts";
import type { Hit, Task, Terms } from "./hit";
import { useAnswers } from "./useAnswers";
import { answeredCount, isAnswered, shownAnswer } from "./work";

interface Props extends Omit<WorkProps, "config" | "task"> {
  terms: Terms;
  task: Task;
  initial: Hit;
}

export function ValidationPage({ terms, task, initial, assignment, desk, over, finish }: Props) {
  const drafts = useMemo(() => new Drafts(assignment), [assignment]);
  const { work, change, save } = useAnswers(desk, drafts, task, terms, initial);
  const [help, setHelp] = useState(false);
  const [finishing, setFinishing] = useState<Finishing>({ state: "no" });
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const heading = useRef<HTMLHeadingElement>(null);

  const place = task.items.findIndex(({ id }) => id === work.current);
  const item = task.items[place]!;
  const { title, text } = task.contexts.find(({ id }) => id === item.context_id)!;
  const tokens = useMemo(() => tokenise(text), [text]);
  const shown = shownAnswer(work, item.id);
  const saving = work.saving !== null;
  const saved = isAnswered(work, item.id) && !(item.id in work.unsaved);
  const endsAt = useMemo(
    () => (initial.seconds_left === null ? null : Date.now() + initial.seconds_left * 1000),
    [initial],
  );
  const timeIsOver = useSecondsLeft(endsAt) === 0;
  const frozen = over || saving;

  useShortcuts({ submit: () => over || save(), help: () => setHelp(true) });
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      heading.current?.focus(); // the question has changed; the first one takes the focus from nothing
    }
    first.current = false;
  }, [work.current]);

  const go = (step: 1 | -1) => change({ type: "went", item: task.items[place + step]!.id });
  const finishNow = async () => {
    setFinishing({ state: "submitting" });
    try {
      await finish({ hit: task.hit, feedback: work.feedback.trim() }, () => setFinishing({ state: "waiting" }));
      drafts.remove();
    } catch (error) {
      setFinishing({ state: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };

  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Stat label="Answered" testId="answered">
          {answeredCount(work)} <small>of {task.items.length}</small>
        </Stat>
        <TimeLeft endsAt={endsAt} />
        <ConnectionState desk={desk} />
      </WorkHeader>
      <main>
        <Goal terms={terms} />
        <Instructions name="validation" title="How it works">
          <Rules terms={terms} />
        </Instructions>
        <div className="columns">
          <div className="reading card">
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
          </div>
          <div className="writing">
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
              work={work}
              finishing={finishing}
              timeIsOver={timeIsOver}
              disabled={over}
              onFeedback={(feedback) => change({ type: "commented", feedback })}
              onFinish={() => void finishNow()}
            />
          </div>
        </div>
        <Earnings desk={desk} />
      </main>
      <footer className="page-footer">
        <button type="button" className="quiet" onClick={() => setHelp(true)}>
          <Icon name="keyboard" />
          Keyboard shortcuts <kbd>?</kbd>
        </button>
      </footer>
      {help && <ShortcutsDialog submits="Save the answer" onClose={() => setHelp(false)} />}
    </>
  );
}
