/** Invites one person: by e-mail, or by a link to hand over. */

import { useState } from "react";

import type { Desk } from "../desk";
import type { Invited, Person } from "../records";
import { FormDialog } from "../FormDialog";
import { LinkOnce } from "./LinkOnce";
import { TextField, wholeNumber } from "./TextField";

interface Props {
  /** Somebody who is here already and has not joined; null for somebody new. */
  person: Person | null;
  mails: boolean;
  send: Desk["send"];
  onInvited: (invited: Invited) => void;
  onClose: () => void;
}

export function InviteDialog({ person, mails, send, onInvited, onClose }: Props) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [days, setDays] = useState("30");
  const [byMail, setByMail] = useState(true);
  const [invited, setInvited] = useState<Invited | null>(null);
  const address = person === null ? email.trim() : (person.email ?? "");
  const canMail = mails && address !== "";
  const invite = async () => {
    const who = person?.worker ?? (address || name.trim());
    if (who === "") {
      throw new Error("Please write a name or an e-mail address.");
    }
    const content = { who, name: name.trim(), days: wholeNumber(days, "Days"), by_mail: canMail && byMail };
    const answer = await send<Invited>("api/people/invitations", content);
    onInvited(answer);
    if (answer.link === null) {
      onClose();
    } else {
      setInvited(answer);
    }
  };
  if (invited?.link) {
    return (
      <LinkOnce title="Invitation" link={invited.link} onClose={onClose}>
        For <bdi>{invited.name}</bdi> alone. It works once, for {days} days.
      </LinkOnce>
    );
  }
  return (
    <FormDialog
      title={person === null ? "Invite somebody" : `Invite ${person.name ?? person.worker}`}
      action={canMail && byMail ? "Send" : "Make a link"}
      onSend={invite}
      onClose={onClose}
    >
      {person === null && (
        <>
          <TextField label="Name" value={name} onChange={setName} autoFocus />
          <TextField label="E-mail" value={email} onChange={setEmail} hint="One of both is enough." />
        </>
      )}
      <TextField label="Days" value={days} onChange={setDays} isNumber autoFocus={person !== null} />
      {mails ? (
        <div className="choices">
          <label>
            <input
              type="checkbox"
              checked={canMail && byMail}
              disabled={!canMail}
              onChange={(event) => setByMail(event.target.checked)}
            />
            Send it by e-mail
          </label>
        </div>
      ) : (
        <p className="small">No mail server is set: you get a link to hand over.</p>
      )}
    </FormDialog>
  );
}
