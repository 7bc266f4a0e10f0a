/** "Beat the AI": what is written about on one side, the writer's work on the other. */

import { type ReactNode, Suspense, lazy, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { Icon } from "../design/icons/Icon";
import type { WorkProps } from "../pages/page";
import { Columns } from "../work/Columns";
import { Earnings } from "../work/Earnings";
import { HandIn } from "../work/HandIn";
import { WorkPage } from "../work/WorkPage";
import { SubmitButton } from "../work/fields/SubmitButton";
import { endOf, useSecondsLeft } from "../work/header/useSecondsLeft";
import { useHandIn } from "../work/useHandIn";
import { FinishDialog, FlagDialog, RetractDialog } from "./AttemptDialogs";
import { AppealFields } from "./AppealFields";
import { AttemptList } from "./AttemptList";
import { ExplanationForm } from "./ExplanationForm";
import { Verdict } from "./Verdict";
import { Drafts } from "./drafts";
import { type Attempt, type Hit, type Terms, isHeldBack, isUnseen, type Task } from "./hit";
import type { Editing, WritingKind } from "./kind";
import { summaryOf } from "./standing";
import { useAttempts } from "./useAttempts";
import { useTyping } from "./useTyping";
import { hasWon, isDoubted, isFrozen, isUnexplained, shownAttempt } from "./work";
import { say } from "../words/say";

/** Few writers have any, and nobody's work waits for them: where they cannot be loaded, there are none. */
const Suggestions = lazy(() =>
  import("../suggestions/Suggestions").then(
    ({ Suggestions }) => ({ default: Suggestions }),
    () => ({ default: () => null }),
  ),
) as unknown as (typeof import("../suggestions/Suggestions"))["Suggestions"]; // `lazy` knows no type parameters

interface Props<Entry, Made extends Attempt> extends Omit<WorkProps, "config" | "task"> {
  kind: WritingKind<Entry, Made>;
  terms: Terms;
  task: Task;
  initial: Hit<Made>;
  /** What stands above the work, where the HIT is a part of something else. */
  intro?: ReactNode;
  /** Something was done in this HIT before. */
  begun?: boolean;
  /** What the worker reads at the end. */
  next?: string;
}

type Question<Made> = { ask: "retract" | "flag"; attempt: Made } | { ask: "finish" } | null;

export function WritingPage<Entry, Made extends Attempt>(props: Props<Entry, Made>) {
  const { kind, terms, task, initial, intro, begun = false, next = "", assignment, desk, over } = props;
  const { words, textOf } = kind;
  const drafts = useMemo(() => new Drafts(assignment, kind.isEntry), [assignment, kind]);
  const textIn = (entry: Entry) => textOf(kind.workOf(entry));
  const typing = useTyping(() => textIn(drafts.load()?.entry ?? kind.empty) === "");
  const attempts = useAttempts(desk, drafts, task, kind, initial, () => typing.summary());
  const { work, change, submit } = attempts;
  const [question, ask] = useState<Question<Made>>(null);
  const { delivery, handIn } = useHandIn(props.finish);
  const { connection } = useSyncExternalStore(desk.subscribe, desk.state);
  const connected = connection === "connected";
  const field = useRef<HTMLTextAreaElement>(null);
  const verdictHeading = useRef<HTMLHeadingElement>(null);
  const explanation = useRef<HTMLFormElement>(null);

  const { hit, problem } = work;
  const shown = shownAttempt(work);
  const won = hasWon(work);
  const full = hit.wins >= terms.max_wins;
  const closed = over || ((hit.complete || full) && !work.sent);
  const explaining = kind.explained.length > 0 && shown?.fooled === true && !shown.retracted;
  const said = work.explanation !== null && work.explanation.attempt === work.shown ? work.explanation.said : null;
  const unsent = textIn(work.entry) !== "" && (shown === null || textOf(shown.work) !== textIn(work.entry));
  const endsAt = useMemo(() => endOf(hit.seconds_left), [hit]);
  const timeIsOver = useSecondsLeft(endsAt) === 0;
  const closing = kind.closing(hit, begun);
  const appealText = work.appeal?.text ?? "";

  useEffect(() => {
    if (work.shown !== null) {
      verdictHeading.current?.focus();
    }
  }, [work.shown]);
  useEffect(() => {
    if (problem?.field === field.current?.name) {
      field.current?.focus();
    }
  }, [problem]);

  const startAnew = (entry: Entry) => {
    change({ type: "began anew", entry });
    typing.begin();
    field.current?.focus();
  };
  const finishNow = async () => {
    ask(null);
    const attempt_ids = hit.attempts.map((attempt) => attempt.attempt_id);
    const summary = `${summaryOf(hit, words.work)} ${next}`.trim();
    if (await handIn({ hit: task.hit, attempt_ids, feedback: work.feedback.trim() }, summary)) {
      drafts.remove();
    }
  };
  const askToFinish = () => (closing.doubt || unsent ? ask({ ask: "finish" }) : void finishNow());

  const editing: Editing<Entry, Made> = {
    entry: work.entry,
    problem,
    shown: shown !== null && isUnseen(shown) ? null : shown,
    frozen: isFrozen(work) || closed,
    done: won || full,
    field,
    typing,
    onEdit: (entry) => change({ type: "edited", change: entry }),
    onSubmit: submit,
    button: !won && !full && (
      <>
        <SubmitButton
          label={say("writing.submit", { work: words.work })}
          waiting={say("writing.reading")}
          sent={work.sent}
          connected={connected}
          disabled={closed}
          onRetry={attempts.retry}
        />
        {isDoubted(work) && (
          <AppealFields
            work={words.work}
            text={appealText}
            problem={problem}
            disabled={isFrozen(work) || closed}
            onText={(text) => change({ type: "appealing", text })}
            onSend={attempts.appeal}
          />
        )}
      </>
    ),
  };
  const shortcut = () => {
    if (explanation.current !== null) {
      explanation.current.requestSubmit();
    } else if (!closed) {
      (isDoubted(work) && appealText.trim() !== "" ? attempts.appeal : submit)();
    }
  };
  return (
    <>
      <WorkPage
        title={terms.task_title}
        stats={kind.stats(hit)}
        endsAt={endsAt}
        desk={desk}
        guide={kind.guide(hit.is_checked)}
        submit={{ words: say("writing.submit.shortcut", { work: words.work }), run: shortcut }}
        shortcuts={kind.shortcuts}
      >
        {intro}
        {kind.goal(hit.is_checked)}
        <Columns reading={kind.reading(editing)} workFirst={kind.workFirst}>
          {shown && (
            <Verdict
              fooled={shown.fooled}
              work={words.work}
              comesNext={
                isUnseen(shown)
                  ? say(hit.is_checked ? "writing.kept.checked" : "writing.kept.counts")
                  : kind.comesNext(shown, hit.is_checked)
              }
              heldBack={shown.fooled === true && isHeldBack(shown)}
              evidence={!isUnseen(shown) && kind.evidence(shown)}
              heading={verdictHeading}
            >
              {explaining && (
                <ExplanationForm
                  key={shown.attempt_id}
                  fields={kind.explained}
                  said={said ?? shown.explanation ?? {}}
                  saved={!isUnexplained(shown) && said === null}
                  connected={connected}
                  disabled={over}
                  form={explanation}
                  onSay={(said) => change({ type: "explaining", attempt: shown.attempt_id, said })}
                  onSave={(said) => attempts.explain(shown, said)}
                />
              )}
              <div className="actions">
                {!hit.complete && !full && !(explaining && isUnexplained(shown)) && (
                  <button
                    type="button"
                    className={won ? "primary" : ""}
                    disabled={over}
                    onClick={() => startAnew(kind.empty)}
                  >
                    {say(won ? "writing.another" : "writing.anew", { work: words.work })}
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
                    {say("writing.mistake", { work: words.work })}
                  </button>
                )}
              </div>
            </Verdict>
          )}
          {task.arm?.suggests === true && !editing.done && !over && (
            <Suspense fallback={null}>
              <Suggestions
                desk={desk}
                kind={kind}
                entry={work.entry}
                frozen={editing.frozen}
                onUse={(entry) => {
                  typing.helped();
                  editing.onEdit(entry);
                  field.current?.focus();
                }}
              />
            </Suspense>
          )}
          {kind.composer(editing)}
          <AttemptList
            attempts={hit.attempts}
            kind={kind}
            isChecked={hit.is_checked}
            disabled={over}
            onEdit={editing.frozen ? null : startAnew}
            onRetract={(attempt) => ask({ ask: "retract", attempt })}
            onFlag={(attempt) => ask({ ask: "flag", attempt })}
          />
          <HandIn
            title={closing.title}
            button={closing.button}
            standing={closing.standing}
            lack={timeIsOver ? null : closing.lack}
            isNext={closing.isNext}
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
          doubt={closing.doubt}
          unsent={unsent ? words.work : null}
          onFinish={() => void finishNow()}
          onClose={() => ask(null)}
        />
      )}
      {question?.ask === "retract" && (
        <RetractDialog
          text={textOf(question.attempt.work)}
          work={words.work}
          fooled={question.attempt.fooled}
          onClose={() => ask(null)}
          onRetract={() => {
            attempts.retract(question.attempt);
            ask(null);
          }}
        />
      )}
      {question?.ask === "flag" && (
        <FlagDialog
          text={textOf(question.attempt.work)}
          context={words.context}
          unseen={isUnseen(question.attempt)}
          onClose={() => ask(null)}
          onFlag={(reason, note) => {
            attempts.flag(question.attempt, reason, note);
            ask(null);
          }}
        />
      )}
    </>
  );
}
