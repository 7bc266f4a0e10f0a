/** The button that sends what was written, and what is said until the reply comes: after ten seconds, to try again. */

import { useEffect, useState } from "react";
import { say } from "../../words/say";
import "./fields.css";

const SLOW_MS = 10_000;

interface Props {
  /** On the button, and while the answer is awaited. */
  label: string;
  waiting: string;
  sent: boolean;
  connected: boolean;
  disabled: boolean;
  /** It is what should be done next. */
  isNext?: boolean;
  onRetry: () => void;
}

export function SubmitButton({
  label,
  waiting,
  sent,
  connected,
  disabled,
  isNext = true,
  onRetry,
}: Props) {
  const [tries, setTries] = useState(0);
  const slow = useSlow(sent, tries);
  const retry = () => {
    setTries(tries + 1);
    onRetry();
  };
  return (
    <div className="submit">
      <button type="submit" className={isNext ? "primary" : ""} disabled={disabled} aria-disabled={sent}>
        {sent && <span className="spinner" aria-hidden="true" />}
        {sent ? waiting : label}
      </button>
      {!sent && isNext && (
        <span className="key-hint" aria-hidden="true">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      )}
      <div role="status" className="slow">
        {sent && !connected && (
          <p>{say("work.submit.offline")}</p>
        )}
        {slow && connected && <p>{say("work.submit.slow")}</p>}
      </div>
      {slow && (
        <button type="button" onClick={retry}>
          {say("work.try_again")}
        </button>
      )}
    </div>
  );
}

/** Whether `sent` has been true for ten seconds since it became true, or since `tries` changed. */
function useSlow(sent: boolean, tries: number): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!sent) {
      return;
    }
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [sent, tries]);
  return slow;
}
