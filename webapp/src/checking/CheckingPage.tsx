/** Checking what others wrote: its context on one side, one item after the other on the other. */

import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import type { WorkProps } from "../pages/page";
import { Columns } from "../work/Columns";
import { Earnings } from "../work/Earnings";
import { HandIn } from "../work/HandIn";
import { WorkPage } from "../work/WorkPage";
import { Stat } from "../work/header/WorkHeader";
import { endOf, useSecondsLeft } from "../work/header/useSecondsLeft";
import { useHandIn } from "../work/useHandIn";
import { Places } from "./Places";
import { Drafts } from "./drafts";
import { Goal } from "./guide";
import type { Hit, Task, Terms } from "./hit";
import type { CheckingKind, Judging } from "./kind";
import { useVotes } from "./useVotes";
import { doneCount, isDone, unsavedPlaces } from "./work";
import { capitalised } from "./words";
import "./checking.css";

const WAITS_FOR_A_PERSON =
  "You have answered nothing in this HIT. You can submit it, but then a person looks at it before it is paid.";

interface Props<Shown, Vote, Entry> extends Omit<WorkProps, "config" | "task"> {
  kind: CheckingKind<Shown, Vote, Entry>;
  terms: Terms;
  task: Task<Shown>;
  initial: Hit<Vote>;
}

export function CheckingPage<Shown, Vote, Entry>(props: Props<Shown, Vote, Entry>) {
  const { kind, terms, task, initial, assignment, desk, over, finish } = props;
  const { words } = kind;
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
  const left = task.items.length - doneCount(work);
  const standing = timeIsOver && doneCount(work) === 0 ? WAITS_FOR_A_PERSON : standingOf(left, kind);
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
    const summary = `You saved ${doneCount(work)} of ${task.items.length} ${words.vote}s.`;
    if (await handIn({ hit: task.hit, feedback: work.feedback.trim() }, summary)) {
      drafts.remove();
    }
  };
  const judging: Judging<Shown, Entry> = {
    context: task.contexts.find(({ id }) => id === item.context_id)!,
    item,
    place: place + 1,
    of: task.items.length,
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
          {saving ? "Saving …" : saved ? "Saved" : `Save ${words.vote}`}
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
            <p>There is no connection at the moment. Your {words.vote} is sent as soon as it is back.</p>
          )}
          {saving && connection === "connected" && slow && (
            <p>This takes longer than usual. Your {words.vote} is kept on this page until it is saved.</p>
          )}
        </div>
      </div>
    ),
  };

  return (
    <WorkPage
      title={terms.task_title}
      stats={
        <Stat label="Answered" testId="answered">
          {doneCount(work)} <small>of {task.items.length}</small>
        </Stat>
      }
      endsAt={endsAt}
      desk={desk}
      guide={kind.guide}
      submit={{ words: `Save the ${words.vote}`, run: () => over || save() }}
      shortcuts={kind.shortcuts((part) => judging.frozen || edit(part))}
    >
      <Goal aim={kind.aim} terms={terms} />
      <Columns reading={kind.reading(judging)}>
        <Places work={work} name={capitalised(words.item)} onGo={(id) => change({ type: "went", item: id })} />
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
            <p>
              What you changed in {words.item} {unsaved.join(", ")} is not saved, and the earlier {words.vote} will
              count.
            </p>
          )}
        </HandIn>
      </Columns>
      <Earnings desk={desk} />
    </WorkPage>
  );
}

function standingOf(left: number, { words, final = false }: Pick<CheckingKind<never, never, never>, "words" | "final">) {
  const { item, vote } = words;
  if (left === 0) {
    return `You have saved all ${vote}s. You can ${final ? "" : "still go back and change one, or "}submit the HIT.`;
  }
  const rest = left === 1 ? `One ${item} is` : `${left} ${item}s are`;
  return `${rest} left. Every ${vote} is kept as soon as you save it.`;
}
