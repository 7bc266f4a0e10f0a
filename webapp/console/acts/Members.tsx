/** The models of the next round, with those that a comparison recommends. */

import { useEffect, useId, useState } from "react";

import { get } from "../../review/api";
import type { BestModels } from "../records";
import type { Draft } from "./draft";

interface Props {
  draft: Draft;
  members: readonly string[];
  onChange: (draft: Draft) => void;
}

export function Members({ draft, members, onChange }: Props) {
  const id = useId();
  const best = useBest(draft.campaign);
  return (
    <fieldset className="choices" aria-describedby={id}>
      <legend>Models that writers play against</legend>
      {members.map((member) => (
        <label key={member}>
          <input
            type="checkbox"
            checked={draft.members.includes(member)}
            onChange={({ target }) => {
              const others = draft.members.filter((name) => name !== member);
              onChange({ ...draft, members: target.checked ? [...others, member] : others });
            }}
          />
          <span>
            <bdi>{member}</bdi>
            {best.includes(member) && <span className="muted"> (measured best, or no worse by any test)</span>}
          </span>
        </label>
      ))}
      <p id={id} className="muted small">
        None chosen: those of the last round, unless models were trained since.
      </p>
    </fieldset>
  );
}

function useBest(campaign: string): readonly string[] {
  const [best, setBest] = useState<readonly string[]>([]);
  useEffect(() => {
    get<BestModels>(`api/acts/best-models?${new URLSearchParams({ campaign })}`).then(
      ({ models }) => setBest(models),
      () => setBest([]), // the choice is the same without advice
    );
  }, [campaign]);
  return best;
}
