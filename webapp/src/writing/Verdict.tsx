/** How one attempt went: who won, what comes next, and what the AI said. */

import { type ReactNode, type Ref, useId } from "react";

import { Icon } from "../design/icons/Icon";
import "./verdict.css";

interface Props {
  fooled: boolean;
  comesNext: string;
  /** A reviewer looks at it before it counts. */
  heldBack?: boolean;
  /** What the AI said, and the rule that decided. */
  evidence: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

export function Verdict({ fooled, comesNext, heldBack = false, evidence, heading, children }: Props) {
  const title = useId();
  return (
    <section
      className="verdict card"
      data-testid="verdict"
      data-outcome={fooled ? "fooled" : "not-fooled"}
      aria-labelledby={title}
    >
      <h2 id={title} ref={heading} tabIndex={-1}>
        <Icon name={fooled ? "win" : "loss"} />
        {fooled ? "You fooled the AI!" : "The AI got it right."}
      </h2>
      <p>{comesNext}</p>
      {heldBack && <p>A reviewer will look at it first: it counts, and brings a bonus, once they let it.</p>}
      {evidence}
      {children}
    </section>
  );
}
