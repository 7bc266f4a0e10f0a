/** Removes an account, once its worker id was typed. */

import { useState } from "react";

import type { Person } from "../records";
import { FormDialog } from "../FormDialog";
import { TextField } from "./TextField";
import { nameOf } from "./words";

interface Props {
  person: Person;
  onRemove: (confirmation: string) => Promise<void>;
  onClose: () => void;
}

export function RemoveDialog({ person, onRemove, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const remove = async () => {
    if (typed.trim() !== person.worker) {
      throw new Error(`Please type ${person.worker} exactly.`);
    }
    await onRemove(typed.trim());
    onClose();
  };
  return (
    <FormDialog title={`Remove ${nameOf(person)}?`} action="Remove" isDangerous onSend={remove} onClose={onClose}>
      <p>Name, e-mail address, password and groups are erased. The worker id stays with the work and in the books.</p>
      <TextField label={`Type ${person.worker} to confirm`} value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
}
