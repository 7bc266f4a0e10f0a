/** The end of a screening that cannot go on: why, that it is paid all the same, and the button that hands it in. */

import { useEffect, useRef } from "react";

import type { WorkProps } from "../pages/page";
import { HandIn } from "../work/HandIn";
import { dollars } from "../work/money";
import { useHandIn } from "../work/useHandIn";
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
        title={failed ? "The screening ends here" : "Your screening is complete"}
        standing={
          failed
            ? `You have used all tries of this step. Thank you for taking part: submit the HIT, and you get ${dollars(terms.reward_cents)} for your time.`
            : "Everything is kept on our side. If the crowd’s own page still waits for it, submit the HIT again."
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
