import "./shortcuts.css";

import { say } from "../../words/say";

/** `run` where the page as a whole listens for the key, whatever has the focus; false where it does nothing now. */
export type Shortcut = readonly [keys: readonly string[], does: string, run?: () => unknown];

export function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl className="shortcuts">
      {shortcuts.map(([keys, does]) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key === " " ? say("design.key.space") : key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
