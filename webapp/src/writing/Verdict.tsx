/** How one attempt went: who won, what comes next, and what the AI said. */

import { type ReactNode, type Ref, useId } from "react";

import { Icon } from "../design/icons/Icon";
import { say } from "../words/say";
import "./verdict.css";

interface Props {
  /** Null where the writer learns of no verdict. */
  fooled: boolean | null;
  /** What people call the work. */
  work: string;
  comesNext: string;
  /** A reviewer looks at it before it counts. */
  heldBack?: boolean;
  /** What the AI said, and the rule that decided. */
  evidence: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

export function Verdict({ fooled, work, comesNext, heldBack = false, evidence, heading, children }: Props) {
  const title = useId();
  return (
    <section
      className="verdict card"
      data-testid="verdict"
      data-outcome={fooled === null ? "kept" : fooled ? "fooled" : "not-fooled"}
      aria-labelledby={title}
    >
      <h2 id={title} ref={heading} tabIndex={-1}>
        {fooled !== null && <Icon name={fooled ? "win" : "loss"} />}
        {fooled === null ? say("writing.kept", { work }) : say(fooled ? "writing.fooled" : "writing.not_fooled")}
      </h2>
      <p>{comesNext}</p>
      {heldBack && <p>{say("writing.held_back")}</p>}
      {evidence}
      {children}
    </section>
  );
}
