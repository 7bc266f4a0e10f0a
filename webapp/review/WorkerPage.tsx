/** One worker: the sampled HITs, one after the other, and the judgement on each. */

import { useCallback, useEffect, useRef, useState } from "react";

import { Icon } from "../src/design/icons/Icon";
import { Accuracy } from "./Accuracy";
import { get, type Change, type Verdict } from "./api";
import type { Hit, Judged, Overview, WorkerDetail } from "./records";
import { DecisionDialog } from "./DecisionDialog";
import { HitView } from "./HitView";
import type { Desk } from "./desk";
import { address } from "./route";
import { StandingBadge } from "./StandingBadge";
import { StandingPanel } from "./StandingPanel";
import { useKeys } from "./useKeys";
import { Verdicts } from "./Verdicts";
import { waitingText } from "./Workers";
import "./workerPage.css";

const WORDS: Readonly<Record<Verdict, string>> = { accept: "Accepted", reject: "Rejected", undo: "Taken back" };

interface Props {
  worker: string;
  assignment: string | null;
  overview: Overview;
  desk: Desk;
}

export function WorkerPage({ worker, assignment, overview, desk }: Props) {
  const [detail, setDetail] = useState<WorkerDetail | null>(null);
  const [rejecting, setRejecting] = useState(false);
  const [report, setReport] = useState("");
  const judged = useRef<string[]>([]);
  const busy = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { run, send } = desk;

  const load = useCallback(
    () => run(async () => setDetail(await get<WorkerDetail>(`api/worker?id=${encodeURIComponent(worker)}`))),
    [run, worker],
  );
  useEffect(() => void load(), [load]);

  const hits = detail?.hits ?? [];
  const requested = hits.findIndex((hit) => hit.assignment === assignment);
  const waiting = hits.findIndex((hit) => hit.mine === null);
  const at = requested >= 0 ? requested : Math.max(waiting, 0);
  const hit = hits[at];
  const next = detail?.next ?? null;

  const isLoaded = detail !== null;
  const shown = hit?.assignment;
  useEffect(() => {
    if (isLoaded) {
      heading.current?.focus();
    }
  }, [isLoaded, shown]);

  const go = (to: number) => {
    const target = hits[to];
    if (target !== undefined) {
      location.hash = address("workers", worker, target.assignment);
    }
  };
  const judge = async (target: Hit, verdict: Verdict, reason = "") => {
    const content = { assignment: target.assignment, verdict, reason };
    const { worker: row, ...verdicts } = await send<Judged>("api/judgements", content);
    const update = hits.map((hit) => (hit.assignment === target.assignment ? { ...hit, ...verdicts } : hit));
    setDetail((before) => before && { ...before, hits: update, summary: row });
    const number = update.findIndex((hit) => hit.assignment === target.assignment);
    judged.current = judged.current.filter((id) => id !== target.assignment);
    if (verdict === "undo") {
      setReport(`HIT ${number + 1}: verdict taken back.`);
      location.hash = address("workers", worker, target.assignment);
      return;
    }
    judged.current.push(target.assignment);
    const open = [...update.slice(number + 1), ...update.slice(0, number)].find((hit) => hit.mine === null);
    setReport(`HIT ${number + 1}: ${WORDS[verdict].toLowerCase()}.${open === undefined ? " All HITs are judged." : ""}`);
    if (open !== undefined) {
      location.hash = address("workers", worker, open.assignment);
    } else {
      location.hash = address("workers", worker, target.assignment);
    }
  };
  const once = (act: () => Promise<void>) => {
    if (!busy.current) {
      busy.current = true;
      void run(act).finally(() => (busy.current = false));
    }
  };
  const accept = () => hit && once(() => judge(hit, "accept"));
  const reject = () => hit && setRejecting(true);
  const last = hits.find((hit) => hit.assignment === judged.current.at(-1));
  const undoable = hit?.mine ? hit : last;
  const undo = () => undoable && once(() => judge(undoable, "undo"));
  useKeys({
    j: () => go(at + 1),
    k: () => go(at - 1),
    a: accept,
    r: reject,
    u: undo,
    ...(next === null ? {} : { n: () => (location.hash = address("workers", next)) }),
  });

  if (detail === null) {
    return (
      <p>
        <a href={address("workers")}>All workers</a>
      </p>
    );
  }
  const { summary } = detail;
  const change = async (to: Change, reason: string, confirmation: string) => {
    await desk.changeStanding(worker, to, reason, confirmation);
    await load();
  };
  return (
    <>
      <section className="card worker-head" aria-label="The worker">
        <div>
          <p>
            <a href={address("workers")}>All workers</a>
          </p>
          <h2>{worker}</h2>
          <StandingBadge
            standing={summary.standing}
            recommended={summary.recommended}
            proposed={summary.proposal !== null}
          />
        </div>
        <div>
          <Accuracy worker={summary} threshold={overview.threshold} />
          <p className="muted">
            {summary.completed} completed, {summary.sampled} sampled · {waitingText(summary)}
          </p>
        </div>
        <StandingPanel
          worker={summary}
          detail={detail}
          lead={desk.lead}
          reviewer={desk.reviewer}
          secondPerson={overview.second_person}
          onChange={change}
        />
      </section>
      {hit === undefined ? (
        <p className="card">This worker has no HITs in the sample.</p>
      ) : (
        <>
          <nav className="hits" aria-label="Sampled HITs">
            {hits.map(({ assignment: id, mine }, number) => (
              <a
                key={id}
                href={address("workers", worker, id)}
                aria-current={number === at ? "true" : undefined}
                data-verdict={mine?.verdict ?? "none"}
              >
                <span className="visually-hidden">HIT </span>
                {number + 1}
                <Icon name={mine === null ? "clock" : mine.verdict === "accept" ? "good" : "bad"} />
                <span className="visually-hidden">
                  {mine === null ? "to judge" : `you ${mine.verdict}ed it`}
                </span>
              </a>
            ))}
          </nav>
          <h3 ref={heading} tabIndex={-1} className="hit-title">
            HIT {at + 1} of {hits.length}
          </h3>
          <HitView key={hit.assignment} hit={hit} />
          <section className="judgement card" aria-label="Your verdict">
            <Verdicts mine={hit.mine} others={hit.others} judged_by_others={hit.judged_by_others} />
            <div className="actions">
              <button type="button" className="primary" aria-keyshortcuts="a" onClick={accept}>
                <Icon name="good" />
                Accept <kbd aria-hidden="true">A</kbd>
              </button>
              <button type="button" aria-keyshortcuts="r" onClick={reject}>
                <Icon name="bad" />
                Reject … <kbd aria-hidden="true">R</kbd>
              </button>
              <button type="button" aria-keyshortcuts="u" disabled={undoable === undefined} onClick={undo}>
                <Icon name="back" />
                {undoable && undoable !== hit ? `Undo HIT ${hits.indexOf(undoable) + 1}` : "Undo"}{" "}
                <kbd aria-hidden="true">U</kbd>
              </button>
              {next !== null && summary.to_judge === 0 && (
                <a className="button" href={address("workers", next)}>
                  Next worker <kbd aria-hidden="true">N</kbd>
                </a>
              )}
            </div>
            <p role="status" className="muted">
              {report}
            </p>
          </section>
          {rejecting && (
            <DecisionDialog
              title={`Reject HIT ${at + 1}?`}
              action="Reject"
              reasons={overview.words.faults}
              onDecide={(reason) => judge(hit, "reject", reason)}
              onClose={() => setRejecting(false)}
            >
              <p className="small">The payment is not touched. The worker does not see the reason.</p>
            </DecisionDialog>
          )}
        </>
      )}
    </>
  );
}
