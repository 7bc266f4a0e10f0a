/** Where a newcomer stands: every step with its name, what is done, and which one is next. */

import { Icon } from "../design/icons/Icon";
import "./screening.css";

interface Props {
  steps: readonly { id: string; kind: string }[];
  /** By kind. */
  names: Readonly<Record<string, string>>;
  done: number;
}

export function Progress({ steps, names, done }: Props) {
  return (
    <nav aria-label="Steps">
      <ol className="progress">
        {steps.map(({ id, kind }, index) => {
          const state = index < done ? "done" : index === done ? "current" : "ahead";
          return (
            <li key={id} data-state={state} aria-current={state === "current" ? "step" : undefined}>
              <span className="progress-mark" aria-hidden="true">
                {state === "done" ? <Icon name="good" /> : index + 1}
              </span>
              <span className="progress-name">
                {names[kind]}
                {state === "done" && <span className="visually-hidden"> (done)</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
