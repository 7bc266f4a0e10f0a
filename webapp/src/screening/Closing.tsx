/** The end of a screening that cannot go on: why, that it is paid all the same, and the button that hands it in. */

import { useEffect, useRef } from "react";

import type { WorkProps } from "../pages/page";
import { HandIn } from "../work/HandIn";
import { amount } from "../work/money";
import { useHandIn } from "../work/useHandIn";
import { say } from "../words/say";
import { Mistakes } from "./Mistakes";
import type { QuizTerms, Step } from "./screening";

interface Props extends Pick<WorkProps, "over" | "finish"> {
  terms: QuizTerms;
  /** Whose tries are used up; null if all were done. */
  failed: Step | null;
}

export function Closing({ terms, failed, over, finish }: Props) {
  const { delivery, handIn } = useHandIn(finish);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="closing">
      {failed && <Mistakes mistakes={failed.mistakes} triesLeft={failed.tries_left} />}
      <HandIn
        title={say(failed ? "screening.failed" : "screening.complete")}
        standing={
          failed
            ? say("screening.failed.text", { pay: amount(terms.reward_cents) })
            : say("screening.complete.text")
        }
        isNext
        delivery={delivery}
        disabled={over}
        heading={heading}
        testId="closing"
        onHandIn={() => void handIn({ feedback: "" })}
      />
    </div>
  );
}
