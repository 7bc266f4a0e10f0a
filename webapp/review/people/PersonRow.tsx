import type { Person } from "../records";
import { day, nameOf, STATE_WORDS } from "./words";

interface Props {
  person: Person;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

export function PersonRow({ person, isChosen, onChoose }: Props) {
  const { worker, email, state, groups, recruited, mailed_at, withdrawn_at, erase_at } = person;
  return (
    <li data-chosen={isChosen}>
      <label>
        <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
        <bdi>{nameOf(person)}</bdi>
      </label>
      <p className="person-ids muted small">
        {email !== null && <bdi>{email}</bdi>}
        <code>{worker}</code>
      </p>
      <p className="badges">
        <span className="badge" data-state={state}>
          {STATE_WORDS[state]}
        </span>
        {recruited && <span className="badge">Sent by a recruiter</span>}
        {withdrawn_at !== null && (
          <span className="badge">
            Withdrew {day(withdrawn_at)}
            {erase_at !== null && ", asked to be erased"}
          </span>
        )}
        {state === "invited" && mailed_at !== null && <span className="muted small">e-mail sent {day(mailed_at)}</span>}
      </p>
      {groups.length > 0 && <p className="muted small">{groups.join(", ")}</p>}
    </li>
  );
}
