/** The end of the HIT: where the worker stands, a word of feedback, and the button that hands everything in. */

import { type ReactNode, type Ref, useId, useState } from "react";

import { say } from "../words/say";
import { type Delivery, deliveryWords, isUnderWay } from "./useHandIn";
import "./handIn.css";

interface Props {
  title?: string;
  button?: string;
  standing: string;
  /** Why it cannot be handed in yet; null when it can be. */
  lack?: string | null;
  /** It is what the worker should do next. */
  isNext: boolean;
  delivery: Delivery;
  disabled: boolean;
  heading?: Ref<HTMLHeadingElement>;
  testId?: string;
  /** Asks for feedback. */
  feedback?: { text: string; onChange: (text: string) => void };
  children?: ReactNode;
  onHandIn: () => void;
}

export function HandIn({ title = say("work.hand_in"), button = say("work.hand_in.submit"), standing, lack = null, ...props }: Props) {
  const { delivery, disabled, feedback } = props;
  const id = useId();
  const [insisted, setInsisted] = useState(false);
  const busy = isUnderWay(delivery);
  const click = () => {
    if (lack !== null) {
      setInsisted(true);
    } else if (!busy) {
      props.onHandIn();
    }
  };
  return (
    <section className="hand-in card" aria-labelledby={`${id}-title`} data-testid={props.testId}>
      <h2 id={`${id}-title`} ref={props.heading} tabIndex={props.heading ? -1 : undefined}>
        {title}
      </h2>
      <p id={`${id}-standing`}>{lack ?? standing}</p>
      {props.children}
      {lack === null && feedback && (
        <div className="field">
          <label htmlFor={`${id}-feedback`}>{say("work.hand_in.feedback")}</label>
          <textarea
            id={`${id}-feedback`}
            rows={2}
            maxLength={1000}
            value={feedback.text}
            disabled={disabled}
            onChange={(event) => feedback.onChange(event.target.value)}
          />
        </div>
      )}
      <div className="actions">
        {/* Also when it does nothing yet it can be reached by keyboard, and says why. */}
        <button
          type="button"
          className={props.isNext ? "primary" : ""}
          disabled={disabled}
          aria-disabled={busy || lack !== null}
          aria-describedby={`${id}-standing`}
          onClick={click}
        >
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy ? say("work.hand_in.submitting") : button}
        </button>
      </div>
      <p role="status" className="hand-in-state">
        {insisted && lack !== null && say("work.hand_in.not_yet", { lack })}
        {deliveryWords(delivery)}
      </p>
    </section>
  );
}
