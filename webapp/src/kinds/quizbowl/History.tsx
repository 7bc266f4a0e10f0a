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
import { type Question, pageTitle } from "./terms";
import "./history.css";

type QuestionEdit = Edit<Question, Shown>;

const STEP_MS = 900;
const CAUSES: Readonly<Record<QuestionEdit["cause"], string>> = {
  pause: "after a pause",
  words: "after some words",
  request: "on demand",
};

export function HistoryButton({ desk }: { desk: Desk }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet history-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="clock" />
        History of this question
      </button>
      {open && <History desk={desk} onClose={() => setOpen(false)} />}
    </>
  );
}

function History({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { edits, loading, problem } = useEdits(desk);
  return (
    <Dialog title="How your question came to be" className="history" onClose={onClose}>
      {edits.length > 0 && <Replay edits={edits} />}
      <p role="status" className="history-state">
        {problem?.message}
        {problem === null && loading && "Loading …"}
        {problem === null && !loading && edits.length === 0 && "There is nothing yet. Write, and let the AI guess."}
      </p>
      <div className="actions">
        <button type="button" onClick={onClose}>
          Close
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
          {playing ? "Stop" : "Play"}
        </button>
        <label htmlFor={id} className="visually-hidden">
          Edit
        </label>
        <input
          id={id}
          type="range"
          min={1}
          max={edits.length}
          value={place + 1}
          aria-valuetext={`Edit ${place + 1} of ${edits.length}`}
          onChange={(event) => {
            setPlaying(false);
            setPlace(Number(event.target.value) - 1);
          }}
        />
      </div>
      <div data-testid="replayed">
        <p className="replay-line">
          Edit {place + 1} of {edits.length}, {CAUSES[edit.cause]}, {sinceWords(edits[0]!, edit)}. Answer:{" "}
          <b dir="auto">{pageTitle(edit.draft.answer)}</b>
        </p>
        {edit.hint === null ? (
          <p className="read-back-text" dir="auto">
            {edit.draft.text}
          </p>
        ) : (
          <ReadBack text={edit.draft.text} shown={edit.hint} onWord={null} />
        )}
        <p className="replay-guess">
          {edit.hint === null ? "A newer text overtook this one; the AI did not read it." : spoken(edit.hint)}
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
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The length of the question and the word at which the AI was first right, over ${points.length} edits`}
      >
        <path className="plot-axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
        <path className="plot-length" d={length} />
        <path className="plot-buzz" d={buzz} />
        <path className="plot-place" d={`M${here} 0V${HEIGHT}`} />
      </svg>
      <figcaption>
        <span data-line="length">words of the question (up to {longest(points)})</span>
        <span data-line="buzz">the word at which the AI is first right</span>
      </figcaption>
    </figure>
  );
}

function sinceWords(first: QuestionEdit, edit: QuestionEdit): string {
  const seconds = Math.round((Date.parse(edit.at) - Date.parse(first.at)) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `at ${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
