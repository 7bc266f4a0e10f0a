/** A team does not agree with a ruling, on its own answer or on another's. */

import { type FormEvent, useId, useState } from "react";

import { say } from "../src/words/say";
import { choiceOf, speakerOf } from "./course";
import type { Played } from "./records";
import type { Send } from "./useRoom";
import "./protestForm.css";

export function ProtestForm({ tossup, send }: { tossup: Played; send: Send }) {
  const ruled = tossup.buzzes.filter((buzz) => buzz.right !== null);
  const [against, setAgainst] = useState(ruled[0]?.side ?? "");
  const [reason, setReason] = useState("");
  const [sent, setSent] = useState(false);
  const id = useId();
  if (ruled.length === 0) {
    return null;
  }
  const protest = async (event: FormEvent) => {
    event.preventDefault();
    setSent((await send({ act: "protest", tossup: tossup.number, against, reason })) === null);
  };
  return (
    <details>
      <summary>{say("event.protest")}</summary>
      <form className="protest" onSubmit={protest}>
        <fieldset>
          <legend>{say("event.protest.against")}</legend>
          {ruled.map((buzz) => (
            <label key={buzz.side} className="choice">
              <input
                type="radio"
                name={id}
                checked={against === buzz.side}
                onChange={() => setAgainst(buzz.side)}
              />
              {say("event.protest.ruling", { who: speakerOf(buzz), right: choiceOf(buzz.right) })}
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor={`${id}-reason`}>{say("event.protest.why")}</label>
          <input
            id={`${id}-reason`}
            type="text"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <button type="submit">{say("event.protest.send")}</button>
        {sent && <p role="status">{say("event.protest.sent")}</p>}
      </form>
    </details>
  );
}
