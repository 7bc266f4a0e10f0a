/** "Beat the AI": a passage on one side, the writer's work on the other. */

import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { Earnings } from "../../earnings/Earnings";
import { ConnectionState, Stat, TimeLeft, WorkHeader } from "../../header/WorkHeader";
import { Icon } from "../../icons/Icon";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { ShortcutsDialog } from "../../shortcuts/ShortcutsDialog";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import type { WorkProps } from "../page";
import { FinishDialog, FlagDialog, RetractDialog } from "./AttemptDialogs";
import { AttemptList } from "./AttemptList";
import { Composer } from "./Composer";
import { type Finishing, FinishPanel } from "./FinishPanel";
import { Goal, Rules } from "./Rules";
import { SubmitQuestion } from "./SubmitQuestion";
import { Verdict } from "./Verdict";
import { Drafts } from "./drafts";
import type { Attempt, Hit, Task, Terms } from "./hit";
import { dollars } from "./money";
import { useAttempts } from "./useAttempts";
import { useTyping } from "./useTyping";
import { hasUnsentText, hasWon, isFrozen, shownAttempt } from "./work";

interface Props extends Omit<WorkProps, "config" | "task"> {
  terms: Terms;
  task: Task;
  initial: Hit;
  /** What stands above the goal, where the HIT is a part of something else. */
  intro?: ReactNode;
  /** Something was done in this HIT before. */
  begun?: boolean;
}

type Question = { ask: "retract" | "flag"; attempt: Attempt } | { ask: "finish" | "shortcuts" } | null;

export function WritingPage({ terms, task, initial, intro, begun = false, assignment, desk, over, finish }: Props) {
  const { title, text } = task.context;
  const tokens = useMemo(() => tokenise(text), [text]);
  const drafts = useMemo(() => new Drafts(assignment), [assignment]);
  const typing = useTyping(() => (drafts.load()?.question ?? "") === "");
  const telemetry = () => typing.summary();
  const { work, change, submit, retry, retract, flag } = useAttempts(desk, drafts, task, terms, initial, telemetry);
  const [question, ask] = useState<Question>(null);
  const [finishing, setFinishing] = useState<Finishing>({ state: "no" });
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const questionField = useRef<HTMLTextAreaElement>(null);
  const verdictHeading = useRef<HTMLHeadingElement>(null);

  const { hit, answer, problem } = work;
  const shown = shownAttempt(work);
  const won = hasWon(work);
  const closed = over || (hit.complete && !work.sent);
  const frozen = isFrozen(work) || closed;
  const empty = !begun && hit.attempts.length === 0;
  const endsAt = useMemo(() => (hit.seconds_left === null ? null : Date.now() + hit.seconds_left * 1000), [hit]);

  useShortcuts({ submit: () => closed || submit(), help: () => ask({ ask: "shortcuts" }) });
  useEffect(() => {
    if (work.shown !== null) {
      verdictHeading.current?.focus();
    }
  }, [work.shown]);
  useEffect(() => {
    if (problem?.field === "question") {
      questionField.current?.focus();
    }
  }, [problem]);

  const startAnew = () => {
    change({ type: "began anew" });
    typing.begin();
    questionField.current?.focus();
  };
  const finishNow = async () => {
    ask(null);
    setFinishing({ state: "submitting" });
    const attempt_ids = hit.attempts.map((attempt) => attempt.attempt_id);
    try {
      await finish({ hit: task.hit, attempt_ids, feedback: work.feedback.trim() }, () =>
        setFinishing({ state: "waiting" }),
      );
      drafts.remove();
    } catch (error) {
      setFinishing({ state: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };
  const askToFinish = () =>
    (hit.wins < terms.wins_wanted && !hit.complete) || hasUnsentText(work) ? ask({ ask: "finish" }) : void finishNow();

  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Wins wins={hit.wins} terms={terms} />
        <Stat label="Tries left" testId="tries-left">
          {hit.tries_left}
        </Stat>
        {terms.bonuses.length > 0 && <BonusSoFar hit={hit} />}
        <TimeLeft endsAt={endsAt} />
        <ConnectionState desk={desk} />
      </WorkHeader>
      <main>
        {intro}
        <Goal terms={terms} isChecked={hit.is_checked} />
        <Instructions name="reading_comprehension" title="How it works">
          <Rules terms={terms} isChecked={hit.is_checked} />
        </Instructions>
        <div className="columns">
          <div className="reading card">
            <h2 dir="auto">{title.replaceAll("_", " ") || "The passage"}</h2>
            <Passage
              text={text}
              tokens={tokens}
              marked={answer && rangeOf(tokens, answer)}
              model={shown && rangeOf(tokens, shown.prediction)}
              frozen={frozen}
              onMark={(range) => change({ type: "marked", answer: range && spanOf(text, tokens, range) })}
            />
            <Legend writer={answer !== null} model={shown !== null && shown.prediction.text !== ""} />
          </div>
          <div className="writing">
            {shown && (
              <Verdict
                attempt={shown}
                isChecked={hit.is_checked}
                threshold={terms.f1_threshold}
                heading={verdictHeading}
              >
                <div className="actions">
                  {!hit.complete && hit.wins < terms.max_wins && (
                    <button type="button" className={won ? "primary" : ""} disabled={over} onClick={startAnew}>
                      {won ? "Write another question" : "Start a new question"}
                    </button>
                  )}
                  {won && !shown.retracted && (
                    <button
                      type="button"
                      className="quiet"
                      disabled={over}
                      onClick={() => ask({ ask: "retract", attempt: shown })}
                    >
                      <Icon name="back" />
                      If you made a mistake, you can take this question back.
                    </button>
                  )}
                </div>
              </Verdict>
            )}
            <Composer
              text={text}
              tokens={tokens}
              question={work.question}
              answer={answer}
              typed={work.typed}
              problem={problem}
              maxQuestionChars={terms.max_question_chars}
              frozen={frozen}
              done={won}
              questionField={questionField}
              typing={typing}
              onQuestion={(value) => change({ type: "wrote", question: value })}
              onTyped={(typed, found) => change({ type: "typed", typed, answer: found })}
              onClear={() => change({ type: "marked", answer: null })}
              onSubmit={submit}
            >
              {!won && (
                <SubmitQuestion
                  sent={work.sent}
                  connected={connection === "connected"}
                  disabled={closed}
                  onRetry={retry}
                />
              )}
            </Composer>
            <AttemptList
              attempts={hit.attempts}
              isChecked={hit.is_checked}
              disabled={over}
              onRetract={(attempt) => ask({ ask: "retract", attempt })}
              onFlag={(attempt) => ask({ ask: "flag", attempt })}
            />
            <FinishPanel
              hit={hit}
              terms={terms}
              endsAt={endsAt}
              empty={empty}
              feedback={work.feedback}
              finishing={finishing}
              disabled={over}
              onFeedback={(feedback) => change({ type: "commented", feedback })}
              onFinish={askToFinish}
            />
          </div>
        </div>
        <Earnings desk={desk} />
      </main>
      <footer className="page-footer">
        <button type="button" className="quiet" onClick={() => ask({ ask: "shortcuts" })}>
          <Icon name="keyboard" />
          Keyboard shortcuts <kbd>?</kbd>
        </button>
      </footer>
      {question?.ask === "shortcuts" && <ShortcutsDialog submits="Submit the question" onClose={() => ask(null)} />}
      {question?.ask === "finish" && (
        <FinishDialog
          wins={hit.wins}
          terms={terms}
          empty={empty}
          unsent={hasUnsentText(work)}
          onFinish={() => void finishNow()}
          onClose={() => ask(null)}
        />
      )}
      {question?.ask === "retract" && (
        <RetractDialog
          attempt={question.attempt}
          onClose={() => ask(null)}
          onRetract={() => {
            retract(question.attempt);
            ask(null);
          }}
        />
      )}
      {question?.ask === "flag" && (
        <FlagDialog
          attempt={question.attempt}
          onClose={() => ask(null)}
          onFlag={(reason, note) => {
            flag(question.attempt, reason, note);
            ask(null);
          }}
        />
      )}
    </>
  );
}

/** Nothing that may not be paid: what is sure, and apart from it what others may add. */
function BonusSoFar({ hit }: { hit: Hit }) {
  const more = hit.possible_bonus_cents;
  return (
    <Stat label="Bonus so far" testId="bonus">
      {dollars(hit.bonus_cents)}{" "}
      <small className="long">
        when you hand in{more > 0 && `, and up to ${dollars(more)} more if others confirm`}
      </small>
    </Stat>
  );
}

function Wins({ wins, terms }: { wins: number; terms: Terms }) {
  return (
    <Stat label="Wins" testId="wins">
      {wins} <small>of {terms.wins_wanted}</small>
      <span className="pips" aria-hidden="true">
        {Array.from({ length: terms.max_wins }, (_, index) => (
          <span key={index} data-won={index < wins} data-wanted={index < terms.wins_wanted} />
        ))}
      </span>
    </Stat>
  );
}

function Legend({ writer, model }: { writer: boolean; model: boolean }) {
  return (
    <p className="legend">
      {writer && (
        <span>
          <span className="marked">Your answer</span>
        </span>
      )}
      {model && (
        <span>
          <span className="model">The AI’s answer</span>
        </span>
      )}
    </p>
  );
}
