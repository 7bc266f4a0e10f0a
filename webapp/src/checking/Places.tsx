/** All items of the HIT, as numbers: which one is on show, which are answered, and a way to each. */

import { Icon } from "../design/icons/Icon";
import { type Work, isDone } from "./work";

interface Props<Vote> {
  work: Work<Vote, unknown>;
  /** What people call an item: "Question". */
  name: string;
  onGo: (item: string) => void;
}

export function Places<Vote>({ work, name, onGo }: Props<Vote>) {
  return (
    <nav className="places" aria-label={`${name}s`}>
      <ol>
        {work.task.items.map(({ id }, index) => {
          const state = id in work.unsaved ? "not saved" : isDone(work, id) ? "answered" : "open";
          return (
            <li key={id}>
              <button
                type="button"
                data-state={state}
                aria-current={id === work.current ? "step" : undefined}
                onClick={() => onGo(id)}
              >
                <span className="visually-hidden">{name} </span>
                {index + 1}
                {state === "answered" && <Icon name="good" />}
                {state === "not saved" && <Icon name="warning" />}
                <span className="visually-hidden">, {state}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
