import { useEffect, useRef, useState } from "react";

import type { PeoplePage } from "../records";
import { PersonRow } from "./PersonRow";
import type { People } from "./usePeople";
import { people as peopleWord } from "./words";

const AT_ONCE = 50; // as a page of the server has

export function PeopleList({ people, page }: { people: People; page: PeoplePage }) {
  const { sought, chosen } = people;
  const [newFrom, setNewFrom] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const shown = page.people;
  useEffect(() => {
    if (newFrom !== null && shown.length > newFrom) {
      list.current?.children[newFrom]?.querySelector("input")?.focus(); // the button may be gone
      setNewFrom(null);
    }
  }, [newFrom, shown.length]);
  if (shown.length === 0) {
    const isSought = sought.words !== "" || sought.state !== "" || sought.group !== "";
    return <p className="card">{isSought ? "Nobody is like that." : "Nobody is here yet. Invite somebody."}</p>;
  }
  const chosenIds = new Set(chosen.map(({ worker }) => worker));
  const chooseAll = (isChosen: boolean) =>
    people.choose(
      shown.map(({ worker }) => worker),
      isChosen,
    );
  return (
    <div className="card people">
      <label className="choose-all">
        <input
          type="checkbox"
          checked={chosen.length === shown.length}
          onChange={(event) => chooseAll(event.target.checked)}
        />
        Choose all {shown.length} shown
      </label>
      <ul ref={list}>
        {shown.map((person) => (
          <PersonRow
            key={person.worker}
            person={person}
            isChosen={chosenIds.has(person.worker)}
            onChoose={(isChosen) => people.choose([person.worker], isChosen)}
          />
        ))}
      </ul>
      {page.left > 0 && (
        <p>
          <button
            type="button"
            onClick={() => {
              setNewFrom(shown.length);
              people.more();
            }}
          >
            Show {Math.min(AT_ONCE, page.left)} more of {peopleWord(shown.length + page.left)}
          </button>
        </p>
      )}
    </div>
  );
}
