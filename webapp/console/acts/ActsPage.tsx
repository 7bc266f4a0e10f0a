/** What a requester can do with a campaign now, its jobs, and the log of both. */

import { type RefObject, useEffect, useRef, useState } from "react";

import { countIn } from "../../review/words";
import type { Run } from "../App";
import type { Acts, Possible, SignedIn } from "../records";
import { useRenewed } from "../useRenewed";
import { ActDialog } from "./ActDialog";
import { wordsOf } from "./actWords";
import { ActsLog } from "./ActsLog";
import { DataFiles } from "./DataFiles";
import { begun, type Draft, MORE } from "./draft";
import { Jobs } from "./Jobs";
import "../campaignFigures.css";
import "./acts.css";

interface Props {
  campaign: string;
  session: SignedIn;
  /** Where an open dialog is kept while somebody signs in again. */
  draft: RefObject<Draft | null>;
  /** A report of the launch that led here, told once. */
  launched: RefObject<string>;
  run: Run;
}

const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["The campaign", ["pause", "continue", "add_contexts", "change_terms"]],
  ["Stages", ["open_stage", "close_stage"]],
  ["Rounds and models", ["open_round", "freeze_round", "train_models", "measure_models"]],
  ["Data", ["export", "back_up"]],
];

export function ActsPage({ campaign, session, draft: kept, launched, run }: Props) {
  const [deeds, setDeeds] = useState(0);
  const acts = useRenewed<Acts>(campaign, "acts", { deeds: String(deeds) }, run);
  const [draft, setDraft] = useState(() => mine(kept.current, campaign, session.reviewer));
  const [told, setTold] = useState(launched.current);
  const status = useRef<HTMLParagraphElement>(null);
  const change = (next: Draft | null) => {
    kept.current = next;
    setDraft(next);
  };
  useEffect(() => {
    launched.current = "";
  }, [launched]);
  const isLoaded = acts !== null;
  useEffect(() => {
    if (isLoaded && draft === null && told !== "") {
      status.current?.focus(); // the button may be gone
    }
  }, [isLoaded, draft, told]);
  if (acts === null) {
    return <p role="status">One moment …</p>;
  }
  countIn(acts.unit);
  const begin = (of: Possible, only: string) => {
    setTold("");
    change(begun(session.reviewer, campaign, of, only));
  };
  return (
    <>
      <h2>Acts</h2>
      <p ref={status} role="status" tabIndex={-1} className={told === "" ? "visually-hidden" : "card told"}>
        {told}
      </p>
      <div className="figures">
        {GROUPS.map(([title, actions]) => (
          <Group key={title} title={title} acts={acts} actions={actions} onBegin={begin} />
        ))}
        <DataFiles campaign={campaign} deeds={deeds} run={run} />
        <Jobs jobs={acts.jobs} />
        <ActsLog campaign={campaign} entries={acts.log} />
      </div>
      {draft !== null && (
        <ActDialog
          draft={draft}
          acts={acts}
          token={session.form_token}
          run={run}
          onChange={change}
          onClose={() => change(null)}
          onDone={(text) => {
            setTold(text);
            setDeeds(deeds + 1);
            change(null);
          }}
        />
      )}
    </>
  );
}

/** What was left open, if the same person has signed in again. */
function mine(draft: Draft | null, campaign: string, reviewer: string): Draft | null {
  return draft?.campaign === campaign && draft.reviewer === reviewer ? draft : null;
}

interface GroupProps {
  title: string;
  acts: Acts;
  actions: readonly string[];
  onBegin: (of: Possible, only: string) => void;
}

function Group({ title, acts, actions, onBegin }: GroupProps) {
  const list = actions.flatMap((action) => acts.acts.filter((one) => one.action === action));
  return (
    <section className="card" aria-label={title}>
      <h3>{title}</h3>
      <ul className="acts">
        {list.flatMap((of) => (of.action === "change_terms" ? [MORE, ""] : [""]).map((only) => (
          <li key={[of.action, of.stage, of.number, only].join()}>
            <Offered of={of} only={only} acts={acts} onBegin={onBegin} />
          </li>
        )))}
      </ul>
    </section>
  );
}

interface OfferedProps {
  of: Possible;
  only: string;
  acts: Acts;
  onBegin: (of: Possible, only: string) => void;
}

function Offered({ of, only, acts, onBegin }: OfferedProps) {
  const { title, what } = wordsOf(of, acts.words, only);
  return (
    <>
      <div>
        <strong>{title}</strong>
        <p className="muted small">{of.refusal === null ? what : `Not now: ${of.refusal}`}</p>
      </div>
      <button type="button" disabled={of.refusal !== null} onClick={() => onBegin(of, only)}>
        {title} …
      </button>
    </>
  );
}
