/** The end of a screening that cannot go on: why, that it is paid all the same, and the button that hands it in. */

import { useEffect, useRef, useState } from "react";

import type { WorkProps } from "../page";
import { dollars } from "../reading_comprehension/money";
import { Mistakes } from "./StepPage";
import type { QuizTerms, Screening } from "./screening";

interface Props extends Pick<WorkProps, "over" | "finish"> {
  terms: QuizTerms;
  screening: Screening;
}

export function Closing({ terms, screening, over, finish }: Props) {
  const [state, setState] = useState("");
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { phase, step } = screening;
  useEffect(() => heading.current?.focus(), []);

  const submit = async () => {
    setBusy(true);
    try {
      await finish({ feedback: "" }, () => setState("The service is away for a moment. We keep trying."));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setState(`This did not work: ${reason} Please try again.`);
      setBusy(false);
    }
  };
  return (
    <div className="closing">
      {phase === "failed" && step !== null && <Mistakes mistakes={step.mistakes} triesLeft={step.tries_left} />}
      <section className="finish card" data-testid="closing">
        <h2 ref={heading} tabIndex={-1}>
          {phase === "failed" ? "The screening ends here" : "Your screening is complete"}
        </h2>
        <p>
          {phase === "failed"
            ? `You have used all tries of this step. Thank you for taking part: submit the HIT, and you get ${dollars(terms.reward_cents)} for your time.`
            : "Everything is kept on our side. If the crowd’s own page still waits for it, submit the HIT again."}
        </p>
        <div className="actions">
          <button
            type="button"
            className="primary"
            disabled={over}
            aria-disabled={busy}
            onClick={() => busy || void submit()}
          >
            {busy && <span className="spinner" aria-hidden="true" />}
            {busy ? "Submitting …" : "Submit HIT"}
          </button>
        </div>
        <p role="status" className="finish-state">
          {state}
        </p>
      </section>
    </div>
  );
}
