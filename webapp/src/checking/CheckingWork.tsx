/** A HIT of checking from its data on: it is opened, and shown as the kind shows it. */

import { useMemo } from "react";

import type { Config, Desk, WorkProps } from "../pages/page";
import { Notice } from "../session/Notice";
import { Opening } from "../work/Opening";
import { say } from "../words/say";
import { CheckingPage } from "./CheckingPage";
import { type Hit, isTask, type Task, type Terms } from "./hit";
import type { CheckingKind, Work } from "./kind";

interface Bound<Shown, Vote, Entry> {
  terms: Terms;
  kind: CheckingKind<Shown, Vote, Entry>;
}

interface Props<Shown, Vote, Entry> extends WorkProps {
  work: Work;
  /** Makes the kind for a HIT as it stands; the same function at each drawing. */
  bind: (config: Config, hit: Hit<Vote>, desk: Desk) => Bound<Shown, Vote, Entry>;
}

export function CheckingWork<Shown, Vote, Entry>({ work, task, ...others }: Props<Shown, Vote, Entry>) {
  return isTask(task) ? (
    <Opening<{ hit: Hit<Vote> }> desk={others.desk} refusal={say("checking.refused")}>
      {({ hit }) => <Opened task={task as Task<Shown>} hit={hit} {...others} />}
    </Opening>
  ) : (
    <Notice title={say("checking.none", { work })}>{say("checking.none.return")}</Notice>
  );
}

type OpenedProps<Shown, Vote, Entry> = Omit<Props<Shown, Vote, Entry>, "work" | "task"> & {
  task: Task<Shown>;
  hit: Hit<Vote>;
};

function Opened<Shown, Vote, Entry>({ config, hit, bind, ...others }: OpenedProps<Shown, Vote, Entry>) {
  const { desk } = others;
  const bound = useMemo(() => bind(config, hit, desk), [bind, config, hit, desk]);
  return <CheckingPage {...bound} initial={hit} {...others} />;
}
