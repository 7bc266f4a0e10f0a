/** A HIT of writing from its data on: it is opened, and shown as the kind shows it. */

import { useEffect, useMemo } from "react";

import type { Config, WorkProps } from "../pages/page";
import { Notice } from "../session/Notice";
import { Opening } from "../work/Opening";
import type { Attempt, Hit, Task, Terms } from "./hit";
import type { WritingKind } from "./kind";
import { WritingPage } from "./WritingPage";
import type { PageWords } from "../words/records";
import { language, overlay, say } from "../words/say";

interface Bound<Entry, Made extends Attempt> {
  terms: Terms;
  kind: WritingKind<Entry, Made>;
  /** What is done once, when the HIT is opened. */
  resume?: () => void;
}

type Binding<Given extends Task> = Omit<WorkProps, "task"> & { task: Given };

interface Props<Given extends Task, Entry, Made extends Attempt> extends WorkProps {
  /** What a HIT is about, as a select of messages has it: "passage". */
  subject: string;
  isTask: (value: unknown) => value is Given;
  /** Makes the kind for a HIT; the same function at each drawing. */
  bind: (work: Pick<Binding<Given>, "config" | "task" | "desk" | "assignment">) => Bound<Entry, Made>;
}

export function WritingWork<Given extends Task, Entry, Made extends Attempt>(props: Props<Given, Entry, Made>) {
  const { subject, task, ...others } = props;
  return props.isTask(task) ? (
    <Bindings task={task} {...others} />
  ) : (
    <Notice title={say("writing.none", { context: subject })}>{say("writing.none.return")}</Notice>
  );
}

/** What this writer is told, in the words for this writer, before any of it is drawn. */
function inArm(config: Config, arm: Task["arm"]): Config {
  if (arm === null) {
    return config;
  }
  const words = arm.words[language()] as PageWords | undefined;
  if (words !== undefined) {
    overlay(words);
  }
  return { ...config, ...arm.config };
}

type BindingsProps<Given extends Task, Entry, Made extends Attempt> = Binding<Given> &
  Pick<Props<Given, Entry, Made>, "bind">;

function Bindings<Given extends Task, Entry, Made extends Attempt>(props: BindingsProps<Given, Entry, Made>) {
  const { bind, config, ...others } = props;
  const { task, desk, assignment } = others;
  const bound = useMemo(() => {
    const own = inArm(config, task.arm);
    return bind({ config: own, task, desk, assignment });
  }, [bind, config, task, desk, assignment]);
  const { terms, kind } = bound;
  useEffect(() => bound.resume?.(), [bound]);
  return (
    <Opening<{ hit: Hit<Made> }> desk={desk} refusal={say("writing.refused")}>
      {({ hit }) => <WritingPage kind={kind} terms={terms} initial={hit} {...others} />}
    </Opening>
  );
}
