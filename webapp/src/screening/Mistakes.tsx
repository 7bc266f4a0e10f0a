/** The last mistake with its hint. */

import { type Ref, useId } from "react";

import { Icon } from "../design/icons/Icon";
import { Say } from "../words/Say";
import { say } from "../words/say";
import { told } from "../words/told";
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
  return (
    <section className="mistake card" data-testid="mistake" aria-labelledby={title}>
      <h2 id={title} ref={heading} tabIndex={-1}>
        <Icon name="bad" />
        {say(triesLeft === 0 ? "screening.mistake.last" : "screening.mistake")}
      </h2>
      <p dir="auto">{told(last)}</p>
      {last.hint !== null && (
        <p>
          <Say of="screening.mistake.hint" args={{ hint: <span dir="auto">{last.hint}</span> }} />
        </p>
      )}
      <p className="small">{say("screening.mistake.left", { left: triesLeft })}</p>
    </section>
  );
}
