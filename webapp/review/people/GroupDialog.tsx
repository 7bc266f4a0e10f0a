/** Puts people into a group, or takes them out of one. */

import { useState } from "react";

import type { GroupMembers, Person } from "../records";
import { FormDialog } from "../FormDialog";
import { SelectField } from "../SelectField";
import { TextField } from "./TextField";
import { people } from "./words";

interface Props {
  chosen: readonly Person[];
  groups: readonly string[];
  onChange: (change: GroupMembers["change"], group: string) => Promise<void>;
  onClose: () => void;
}

export function GroupDialog({ chosen, groups, onChange, onClose }: Props) {
  const theirs = [...new Set(chosen.flatMap((person) => person.groups))].sort();
  const [change, setChange] = useState<GroupMembers["change"]>("add");
  const [name, setName] = useState("");
  const [left, setLeft] = useState(theirs[0] ?? "");
  const send = async () => {
    const group = change === "add" ? name.trim() : left;
    if (group === "") {
      throw new Error("Please name a group.");
    }
    await onChange(change, group);
    onClose();
  };
  return (
    <FormDialog title={`Groups of ${people(chosen.length)}`} action="Save" onSend={send} onClose={onClose}>
      {theirs.length > 0 && (
        <fieldset className="choices">
          <legend>Change</legend>
          <label>
            <input type="radio" name="change" checked={change === "add"} onChange={() => setChange("add")} />
            Add to a group
          </label>
          <label>
            <input type="radio" name="change" checked={change === "remove"} onChange={() => setChange("remove")} />
            Take out of a group
          </label>
        </fieldset>
      )}
      {change === "add" ? (
        <TextField label="Group" value={name} onChange={setName} offered={groups} autoFocus={theirs.length === 0} />
      ) : (
        <SelectField label="Group" value={left} options={theirs.map((group) => [group, group])} onChange={setLeft} />
      )}
    </FormDialog>
  );
}
