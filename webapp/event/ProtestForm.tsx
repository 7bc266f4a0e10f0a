/** A team does not agree with a ruling, on its own answer or on another's. */

import { type FormEvent, useId, useState } from "react";

import { speakerOf } from "./course";
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
      <summary>Protest</summary>
      <form className="protest" onSubmit={protest}>
        <fieldset>
          <legend>Against the ruling on</legend>
          {ruled.map((buzz) => (
            <label key={buzz.side} className="choice">
              <input
                type="radio"
                name={id}
                checked={against === buzz.side}
                onChange={() => setAgainst(buzz.side)}
              />
              {speakerOf(buzz)} ({buzz.right === true ? "right" : "wrong"})
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor={`${id}-reason`}>Why</label>
          <input
            id={`${id}-reason`}
            type="text"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <button type="submit">Protest</button>
        {sent && <p role="status">The moderator has been told.</p>}
      </form>
    </details>
  );
}
