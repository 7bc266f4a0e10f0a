/** Finds people by words, state and group. */

import type { Crowd } from "../records";
import { SelectField } from "../SelectField";
import { TextField } from "./TextField";
import type { Sought } from "./usePeople";
import { STATE_WORDS } from "./words";

interface Props {
  sought: Sought;
  crowd: Crowd | null;
  onSeek: (sought: Sought) => void;
}

export function Seek({ sought, crowd, onSeek }: Props) {
  return (
    <div className="choices-row" role="search" aria-label="People">
      <TextField
        label="Find people"
        value={sought.words}
        onChange={(words) => onSeek({ ...sought, words })}
        hint="In name, e-mail address or worker id."
      />
      <SelectField
        label="State"
        value={sought.state}
        none="All"
        options={(crowd?.states ?? []).map(({ state, people }) => [state, `${STATE_WORDS[state]} (${people})`])}
        onChange={(state) => onSeek({ ...sought, state })}
      />
      <SelectField
        label="Group"
        value={sought.group}
        none="All"
        options={(crowd?.groups ?? []).map(({ name, people }) => [name, `${name} (${people})`])}
        onChange={(group) => onSeek({ ...sought, group })}
      />
    </div>
  );
}
