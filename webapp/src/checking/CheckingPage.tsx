/** Checking what others wrote: its context on one side, one item after the other on the other. */

import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import type { WorkProps } from "../pages/page";
import { Columns } from "../work/Columns";
import { Earnings } from "../work/Earnings";
import { HandIn } from "../work/HandIn";
import { WorkPage } from "../work/WorkPage";
import { Stat } from "../work/header/WorkHeader";
import { endOf, useSecondsLeft } from "../work/header/useSecondsLeft";
import { useHandIn } from "../work/useHandIn";
import { Say } from "../words/Say";
import { language, say } from "../words/say";
import { Places } from "./Places";
import { Drafts } from "./drafts";
import { Goal } from "./guide";
import type { Hit, Task, Terms } from "./hit";
import type { CheckingKind, Judging } from "./kind";
import { useVotes } from "./useVotes";
import { doneCount, isDone, unsavedPlaces } from "./work";
import "./checking.css";

interface Props<Shown, Vote, Entry> extends Omit<WorkProps, "config" | "task"> {
  kind: CheckingKind<Shown, Vote, Entry>;
  terms: Terms;
  task: Task<Shown>;
  initial: Hit<Vote>;
}

export function CheckingPage<Shown, Vote, Entry>(props: Props<Shown, Vote, Entry>) {
  const { kind, terms, task, initial, assignment, desk, over, finish } = props;
  const named = { work: kind.work };
  const drafts = useMemo(() => new Drafts(assignment, kind.isEntry), [assignment, kind]);
  const { work, entry, change, edit, save } = useVotes(desk, drafts, task, kind, initial);
  const { delivery, handIn } = useHandIn(finish);
  const { connection, slow } = useSyncExternalStore(desk.subscribe, desk.state);
  const heading = useRef<HTMLHeadingElement>(null);

  const place = task.items.findIndex(({ id }) => id === work.current);
  const item = task.items[place]!;
  const saving = work.saving !== null;
  const saved = isDone(work, item.id) && !(item.id in work.unsaved);
  const endsAt = useMemo(() => endOf(initial.seconds_left), [initial]);
  const timeIsOver = useSecondsLeft(endsAt) === 0;
  const ready = work.hit.complete || timeIsOver;
  const count = task.items.length;
  const done = doneCount(work);
  const standing = timeIsOver && done === 0 ? say("checking.waits") : standingOf(count - done, kind);
  const unsaved = unsavedPlaces(work);

  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      heading.current?.focus(); // the item has changed; the first one takes the focus from nothing
    }
    first.current = false;
  }, [work.current]);

  const go = (step: 1 | -1) => change({ type: "went", item: task.items[place + step]!.id });
  const finishNow = async () => {
    const summary = say("checking.summary", { ...named, done, count });
    if (await handIn({ hit: task.hit, feedback: work.feedback.trim() }, summary)) {
      drafts.remove();
    }
  };
  const judging: Judging<Shown, Entry> = {
    context: task.contexts.find(({ id }) => id === item.context_id)!,
    item,
    place: place + 1,
    of: count,
    entry,
    problem: work.problem,
    frozen: over || saving,
    done: isDone(work, item.id),
    heading,
    onEdit: edit,
    onSave: save,
    buttons: (
      <div className="submit">
        <button type="submit" className="primary" disabled={over} aria-disabled={saving}>
          {saving && <span className="spinner" aria-hidden="true" />}
          {saving ? say("checking.saving") : saved ? say("checking.saved") : say("checking.save", named)}
        </button>
        <div className="steps-buttons">
          <button type="button" disabled={place === 0} onClick={() => go(-1)}>
            {say("checking.previous")}
          </button>
          <button type="button" disabled={place === count - 1} onClick={() => go(1)}>
            {say("checking.next")}
          </button>
        </div>
        <div role="status" className="slow">
          {saving && connection !== "connected" && <p>{say("checking.offline", named)}</p>}
          {saving && connection === "connected" && slow && <p>{say("checking.slow", named)}</p>}
        </div>
      </div>
    ),
  };

  return (
    <WorkPage
      title={terms.task_title}
      stats={
        <Stat label={say("checking.answered")} testId="answered">
          <Say of="checking.answered.of" args={{ done, count }} tags={{ small }} />
        </Stat>
      }
      endsAt={endsAt}
      desk={desk}
      guide={kind.guide}
      submit={{ words: say("checking.save.shortcut", named), run: () => over || save() }}
      shortcuts={kind.shortcuts((part) => judging.frozen || edit(part))}
    >
      <Goal aim={kind.aim} terms={terms} />
      <Columns reading={kind.reading(judging)}>
        <Places work={work} kind={kind.work} onGo={(id) => change({ type: "went", item: id })} />
        {kind.card(judging)}
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
            <p>{say("checking.unsaved", { ...named, count: unsaved.length, places: listed(unsaved) })}</p>
          )}
        </HandIn>
      </Columns>
      <Earnings desk={desk} />
    </WorkPage>
  );
}

function standingOf(left: number, { work, final = false }: Pick<CheckingKind<never, never, never>, "work" | "final">) {
  if (left > 0) {
    return say("checking.standing.left", { work, left });
  }
  return say(final ? "checking.standing.final" : "checking.standing.done", { work });
}

function listed(places: readonly number[]): string {
  return new Intl.ListFormat(language()).format(places.map(String));
}

function small(text: ReactNode[]): ReactNode {
  return <small>{text}</small>;
}
