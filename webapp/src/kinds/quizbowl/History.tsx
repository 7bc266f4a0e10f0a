/** The way of a question in a dialog: every text that the AI was asked about, replayed, and a plot of all of them. */

import { useEffect, useId, useState } from "react";

import type { Problem } from "../../crowd/packets";
import { Dialog } from "../../design/dialog/Dialog";
import { Icon } from "../../design/icons/Icon";
import type { Desk } from "../../pages/page";
import { type Edit, loadEdits } from "../../writing/edits";
import { ReadBack } from "./ReadBack";
import { type Shown, spoken } from "./guesses";
import { HEIGHT, WIDTH, longest, paths, pointsOf, x } from "./plot";
import { strong } from "./tags";
import { type Question, pageTitle } from "./terms";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import "./history.css";

type QuestionEdit = Edit<Question, Shown>;

const STEP_MS = 900;

export function HistoryButton({ desk }: { desk: Desk }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet history-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="clock" />
        {say("quizbowl.history")}
      </button>
      {open && <History desk={desk} onClose={() => setOpen(false)} />}
    </>
  );
}

function History({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { edits, loading, problem } = useEdits(desk);
  return (
    <Dialog title={say("quizbowl.history.title")} className="history" onClose={onClose}>
      {edits.length > 0 && <Replay edits={edits} />}
      <p role="status" className="history-state">
        {problem?.message}
        {problem === null && loading && say("quizbowl.history.loading")}
        {problem === null && !loading && edits.length === 0 && say("quizbowl.history.nothing")}
      </p>
      <div className="actions">
        <button type="button" onClick={onClose}>
          {say("quizbowl.history.close")}
        </button>
      </div>
    </Dialog>
  );
}

function useEdits(desk: Desk): { edits: readonly QuestionEdit[]; loading: boolean; problem: Problem | null } {
  const [edits, setEdits] = useState<readonly QuestionEdit[]>([]);
  const [loading, setLoading] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let current = true;
    const add = (more: readonly QuestionEdit[]) => setEdits((known) => [...known, ...more]);
    void loadEdits(desk, add, () => current).then((found) => {
      if (current) {
        setProblem(found);
        setLoading(false);
      }
    });
    return () => {
      current = false;
    };
  }, [desk]);
  return { edits, loading, problem };
}

function Replay({ edits }: { edits: readonly QuestionEdit[] }) {
  const id = useId();
  const [place, setPlace] = useState(0);
  const [playing, setPlaying] = useState(false);
  const last = edits.length - 1;
  const edit = edits[place]!;
  useEffect(() => {
    if (!playing) {
      return;
    }
    const timer = setTimeout(() => (place < last ? setPlace(place + 1) : setPlaying(false)), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, place, last]);
  const play = () => {
    if (!playing && place === last) {
      setPlace(0);
    }
    setPlaying(!playing);
  };
  return (
    <>
      <Plot edits={edits} place={place} />
      <div className="replay">
        <button type="button" onClick={play}>
          <Icon name={playing ? "pause" : "play"} />
          {say(playing ? "quizbowl.history.stop" : "quizbowl.history.play")}
        </button>
        <label htmlFor={id} className="visually-hidden">
          {say("quizbowl.history.edit")}
        </label>
        <input
          id={id}
          type="range"
          min={1}
          max={edits.length}
          value={place + 1}
          aria-valuetext={say("quizbowl.history.place", { place: place + 1, count: edits.length })}
          onChange={(event) => {
            setPlaying(false);
            setPlace(Number(event.target.value) - 1);
          }}
        />
      </div>
      <div data-testid="replayed">
        <p className="replay-line">
          <Say
            of="quizbowl.history.line"
            args={{
              cause: edit.cause,
              place: place + 1,
              count: edits.length,
              time: timeSince(edits[0]!, edit),
              answer: pageTitle(edit.draft.answer),
            }}
            tags={{ bold: strong }}
          />
        </p>
        {edit.hint === null ? (
          <p className="read-back-text" {...ofData()}>
            {edit.draft.text}
          </p>
        ) : (
          <ReadBack text={edit.draft.text} shown={edit.hint} onWord={null} />
        )}
        <p className="replay-guess">
          {edit.hint === null ? say("quizbowl.history.overtaken") : spoken(edit.hint)}
        </p>
      </div>
    </>
  );
}

function Plot({ edits, place }: { edits: readonly QuestionEdit[]; place: number }) {
  const points = pointsOf(edits);
  const { length, buzz } = paths(points);
  const here = x(place, points.length);
  return (
    <figure className="plot">
      <svg
        className="along-text"
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say("quizbowl.history.plot", { count: points.length })}
      >
        <path className="plot-axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
        <path className="plot-length" d={length} />
        <path className="plot-buzz" d={buzz} />
        <path className="plot-place" d={`M${here} 0V${HEIGHT}`} />
      </svg>
      <figcaption>
        <span data-line="length">{say("quizbowl.history.plot.length", { most: longest(points) })}</span>
        <span data-line="buzz">{say("quizbowl.history.plot.buzz")}</span>
      </figcaption>
    </figure>
  );
}

/** "0:07" */
function timeSince(first: QuestionEdit, edit: QuestionEdit): string {
  const seconds = Math.round((Date.parse(edit.at) - Date.parse(first.at)) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
