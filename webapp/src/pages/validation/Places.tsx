/** All questions of the HIT, as numbers: which one is on show, which are answered, and a way to each. */

import { Icon } from "../../icons/Icon";
import { type Work, isAnswered } from "./work";

interface Props {
  work: Work;
  onGo: (item: string) => void;
}

export function Places({ work, onGo }: Props) {
  return (
    <nav className="places" aria-label="Questions">
      <ol>
        {work.task.items.map(({ id }, index) => {
          const state = id in work.unsaved ? "not saved" : isAnswered(work, id) ? "answered" : "open";
          return (
            <li key={id}>
              <button
                type="button"
                data-state={state}
                aria-current={id === work.current ? "step" : undefined}
                onClick={() => onGo(id)}
              >
                <span className="visually-hidden">Question </span>
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
