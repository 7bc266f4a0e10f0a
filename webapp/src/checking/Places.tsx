/** All items of the HIT, as numbers: which one is on show, which are answered, and a way to each. */

import { Icon } from "../design/icons/Icon";
import { say } from "../words/say";
import type { Work as Kind } from "./kind";
import { type Work, isDone } from "./work";

interface Props<Vote> {
  work: Work<Vote, unknown>;
  kind: Kind;
  onGo: (item: string) => void;
}

export function Places<Vote>({ work, kind, onGo }: Props<Vote>) {
  return (
    <nav className="places" aria-label={say("checking.items", { work: kind })}>
      <ol>
        {work.task.items.map(({ id }, index) => {
          const state = id in work.unsaved ? "unsaved" : isDone(work, id) ? "answered" : "open";
          return (
            <li key={id}>
              <button
                type="button"
                data-state={state}
                aria-label={say("checking.place", { work: kind, place: index + 1, state })}
                aria-current={id === work.current ? "step" : undefined}
                onClick={() => onGo(id)}
              >
                {index + 1}
                {state === "answered" && <Icon name="good" />}
                {state === "unsaved" && <Icon name="warning" />}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
