/** Where a newcomer stands: every step with its name, what is done, and which one is next. */

import { Icon } from "../../icons/Icon";
import { KIND_NAMES, type Screening } from "./screening";

export function Progress({ steps, done }: { steps: Screening["steps"]; done: number }) {
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
                {KIND_NAMES[kind]}
                {state === "done" && <span className="visually-hidden"> (done)</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
