/** The last mistake with its hint. */

import { type Ref, useId } from "react";

import { Icon } from "../design/icons/Icon";
import type { Mistake } from "./screening";

interface Props {
  mistakes: readonly Mistake[];
  triesLeft: number;
  heading?: Ref<HTMLHeadingElement>;
}

export function Mistakes({ mistakes, triesLeft, heading }: Props) {
  const title = useId();
  const last = mistakes.at(-1);
  if (last === undefined) {
    return null;
  }
  const left =
    triesLeft === 0 ? "No try is left." : triesLeft === 1 ? "One try is left." : `${triesLeft} tries are left.`;
  return (
    <section className="mistake card" data-testid="mistake" aria-labelledby={title}>
      <h2 id={title} ref={heading} tabIndex={-1}>
        <Icon name="bad" />
        {triesLeft === 0 ? "Not right" : "Not yet"}
      </h2>
      <p>{last.message}</p>
      {last.hint !== null && (
        <p>
          <strong>Hint:</strong> {last.hint}
        </p>
      )}
      <p className="small">{left}</p>
    </section>
  );
}
