/** Where a newcomer stands: every step with its name, what is done, and which one is next. */

import type { ReactNode } from "react";

import { Icon } from "../design/icons/Icon";
import { Say } from "../words/Say";
import { type Plain, say } from "../words/say";
import "./screening.css";

/** What a step is about, by its kind. */
export type StepNames = Readonly<Record<string, Plain>>;

interface Props {
  steps: readonly { id: string; kind: string }[];
  /** By kind. */
  names: StepNames;
  done: number;
}

export function Progress({ steps, names, done }: Props) {
  return (
    <nav aria-label={say("screening.steps")}>
      <ol className="progress">
        {steps.map(({ id, kind }, index) => {
          const state = index < done ? "done" : index === done ? "current" : "ahead";
          return (
            <li key={id} data-state={state} aria-current={state === "current" ? "step" : undefined}>
              <span className="progress-mark" aria-hidden="true">
                {state === "done" ? <Icon name="good" /> : index + 1}
              </span>
              <span className="progress-name">
                {state === "done" ? (
                  <Say of="screening.steps.done" args={{ name: named(names, kind) }} tags={{ hidden }} />
                ) : (
                  named(names, kind)
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function named(names: StepNames, kind: string): string {
  const name = names[kind];
  return name === undefined ? "" : say(name);
}

function hidden(text: ReactNode[]): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}
