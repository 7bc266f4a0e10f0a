/** How many HITs there are, what each pays, and the most that the campaign may cost. */

import { ValueField } from "../acts/ValueField";
import { faultAt } from "./fields";
import type { Editing } from "./useDraft";

export function PayFields({ editing: { draft, choices, edit } }: { editing: Editing }) {
  const empty = (default_: string | undefined) => (default_ === undefined ? "" : `Empty: ${default_}.`);
  return (
    <section className="card" aria-labelledby="pay">
      <h3 id="pay">HITs and pay</h3>
      <ValueField
        label="HITs"
        hint={empty(choices.hits.trim() === "" ? draft.defaults?.hits : undefined)}
        value={choices.hits}
        wrong={faultAt(draft, "hits")}
        isStill
        onChange={(hits) => edit({ hits })}
      />
      <ValueField
        label={`Reward of a HIT (${draft.unit})`}
        hint={`${empty(choices.reward.trim() === "" ? draft.defaults?.reward : undefined)} The forecast below works it out from pay by the hour.`}
        value={choices.reward}
        wrong={faultAt(draft, "reward")}
        isStill
        onChange={(reward) => edit({ reward })}
      />
      <ValueField
        label={`Cap (${draft.unit})`}
        hint={`${empty(choices.cap.trim() === "" ? draft.defaults?.cap : undefined)} The campaign never costs more.`}
        value={choices.cap}
        wrong={faultAt(draft, "cap")}
        isStill
        onChange={(cap) => edit({ cap })}
      />
      <details open={faultAt(draft, "others") !== "" || undefined}>
        <summary>Other settings</summary>
        <ValueField
          label="Settings"
          hint="KEY=VALUE, one a line, as round.max_tries=10. Those that name files or programs are set in the task folder."
          isLong
          value={choices.others}
          wrong={faultAt(draft, "others")}
          isStill
          onChange={(others) => edit({ others })}
        />
      </details>
    </section>
  );
}
