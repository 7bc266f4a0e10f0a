/** "Beat the AI": a passage on one side, the writer's work on the other. */

import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { Icon } from "../icons/Icon";
import type { WorkProps } from "../pages/page";
import { Passage } from "../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../passage/tokens";
import { Columns } from "../work/Columns";
import { Earnings } from "../work/Earnings";
import { HandIn } from "../work/HandIn";
import { WorkPage } from "../work/WorkPage";
import { SubmitButton } from "../work/fields/SubmitButton";
import { endOf, useSecondsLeft } from "../work/header/useSecondsLeft";
import { useHandIn } from "../work/useHandIn";
import { FinishDialog, FlagDialog, RetractDialog } from "./AttemptDialogs";
import { AttemptList } from "./AttemptList";
import { Composer } from "./Composer";
import { Verdict } from "./Verdict";
import { WritingStats } from "./WritingStats";
import { Drafts } from "./drafts";
import { Goal, writingGuide } from "./guide";
import type { Attempt, Hit, Task, Terms } from "./hit";
import { WAITS_FOR_A_PERSON, lackOf, standingOf } from "./standing";
import { useAttempts } from "./useAttempts";
import { useTyping } from "./useTyping";
import { hasUnsentText, hasWon, isFrozen, shownAttempt } from "./work";

interface Props extends Omit<WorkProps, "config" | "task"> {
  terms: Terms;
  task: Task;
  initial: Hit;
  /** What stands above the work, where the HIT is a part of something else. */
  intro?: ReactNode;
  /** Something was done in this HIT before. */
  begun?: boolean;
  /** What the worker reads at the end. */
  next?: string;
}

type Question = { ask: "retract" | "flag"; attempt: Attempt } | { ask: "finish" } | null;

export function WritingPage({ terms, task, initial, intro, begun = false, next = "", ...props }: Props) {
  const { assignment, desk, over } = props;
  const { title, text } = task.context;
  const tokens = useMemo(() => tokenise(text), [text]);
  const drafts = useMemo(() => new Drafts(assignment), [assignment]);
  const typing = useTyping(() => (drafts.load()?.question ?? "") === "");
  const telemetry = () => typing.summary();
  const { work, change, submit, retry, retract, flag } = useAttempts(desk, drafts, task, terms, initial, telemetry);
  const [question, ask] = useState<Question>(null);
  const { delivery, handIn } = useHandIn(props.finish);
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const questionField = useRef<HTMLTextAreaElement>(null);
  const verdictHeading = useRef<HTMLHeadingElement>(null);

  const { hit, answer, problem } = work;
  const shown = shownAttempt(work);
  const won = hasWon(work);
  const closed = over || (hit.complete && !work.sent);
  const frozen = isFrozen(work) || closed;
  const empty = !begun && hit.attempts.length === 0;
  const endsAt = useMemo(() => endOf(hit.seconds_left), [hit]);
  const timeIsOver = useSecondsLeft(endsAt) === 0;

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
    const attempt_ids = hit.attempts.map((attempt) => attempt.attempt_id);
    if (await handIn({ hit: task.hit, attempt_ids, feedback: work.feedback.trim() }, next)) {
      drafts.remove();
    }
  };
  const askToFinish = () =>
    (hit.wins < terms.wins_wanted && !hit.complete) || hasUnsentText(work) ? ask({ ask: "finish" }) : void finishNow();

  return (
    <>
      <WorkPage
        title={terms.task_title}
        stats={<WritingStats hit={hit} terms={terms} />}
        endsAt={endsAt}
        desk={desk}
        guide={writingGuide(terms, hit.is_checked)}
        shortcut={{ words: "Submit the question", run: () => closed || submit() }}
      >
        {intro}
        <Goal terms={terms} isChecked={hit.is_checked} />
        <Columns
          reading={
            <>
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
            </>
          }
        >
          {shown && (
            <Verdict attempt={shown} isChecked={hit.is_checked} threshold={terms.f1_threshold} heading={verdictHeading}>
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
            field={questionField}
            typing={typing}
            onQuestion={(value) => change({ type: "wrote", question: value })}
            onTyped={(typed, span) => change({ type: "typed", typed, answer: span })}
            onClear={() => change({ type: "marked", answer: null })}
            onSubmit={submit}
          >
            {!won && (
              <SubmitButton
                label="Submit question"
                waiting="The AI is reading …"
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
          <HandIn
            standing={empty ? WAITS_FOR_A_PERSON : standingOf(hit, terms)}
            lack={hit.complete || timeIsOver ? null : lackOf(hit, terms)}
            isNext={hit.wins >= terms.wins_wanted || hit.complete}
            delivery={delivery}
            disabled={over}
            feedback={{ text: work.feedback, onChange: (feedback) => change({ type: "commented", feedback }) }}
            onHandIn={askToFinish}
          />
        </Columns>
        <Earnings desk={desk} />
      </WorkPage>
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
