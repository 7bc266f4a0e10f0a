/** Who works on a campaign, and what a recruiter has to be told. */

import { ValueField } from "../acts/ValueField";
import type { Choices } from "../records";
import { faultAt, WORDS } from "./fields";
import type { Editing } from "./useDraft";

const CROWDS: Readonly<Record<string, string>> = {
  own: "People of your own, whom you invite",
  prolific: "Prolific",
  mturk: "Mechanical Turk’s protocol",
  link: "People whom a recruiter sends by a link",
};
const MORE: Readonly<Record<string, readonly (readonly [keyof Choices & string, string])[]>> = {
  prolific: [
    ["workspace", "The id of your workspace at Prolific."],
    ["minutes", "How long a HIT takes, as participants are told: whole minutes."],
  ],
  link: [
    ["person", "The parameter of the link with the person’s id, such as participant_id."],
    ["finish_url", "Where people go back to; {code} stands for the code."],
    ["done", "The code for whoever has done all HITs: one that nobody guesses."],
  ],
};

export function CrowdFields({ editing: { draft, choices, edit } }: { editing: Editing }) {
  return (
    <section className="card" aria-labelledby="crowd">
      <h3 id="crowd">People</h3>
      <fieldset className="choices">
        <legend>Crowd</legend>
        {Object.keys(CROWDS).map((name) => (
          <label key={name}>
            <input type="radio" name="crowd" checked={choices.crowd === name} onChange={() => edit({ crowd: name })} />
            {CROWDS[name]}
          </label>
        ))}
      </fieldset>
      <p className="small wrong">{faultAt(draft, "crowd")}</p>
      {draft.has_keys !== null && (
        <p className="small muted">
          {draft.has_keys
            ? "What this crowd asks for is set up where the console runs."
            : "The keys of this crowd are missing where the console runs. They are set in its environment, never here."}
        </p>
      )}
      {(MORE[choices.crowd] ?? []).map(([field, hint]) => (
        <ValueField
          key={field}
          label={WORDS[field] ?? field}
          hint={hint}
          value={String(choices[field])}
          wrong={faultAt(draft, field)}
          isStill
          onChange={(text) => edit({ [field]: text })}
        />
      ))}
      <fieldset className="choices">
        <legend>Consent</legend>
        <label>
          <input
            type="checkbox"
            checked={choices.has_consent}
            onChange={({ target }) => edit({ has_consent: target.checked })}
          />
          Ask for consent, and a few questions, before the first HIT
        </label>
      </fieldset>
      <p className="small wrong">{faultAt(draft, "has_consent")}</p>
    </section>
  );
}
