/** The acts of a lead on people. More than the server takes at once are sent in parts. */

import type { Desk } from "../desk";
import type { GroupMembers, Person } from "../records";
import type { Change } from "./words";

const AT_ONCE = 100;

export interface PeopleActs {
  changeState: (people: readonly Person[], change: Change, confirmation?: string) => Promise<Person[]>;
  changeGroup: (people: readonly Person[], change: GroupMembers["change"], group: string) => Promise<Person[]>;
}

export function peopleActs(send: Desk["send"]): PeopleActs {
  return {
    changeState: (people, change, confirmation = "") =>
      inParts(people, (workers) => send<Person[]>("api/people/states", { workers, change, confirmation })),
    changeGroup: (people, change, group) =>
      inParts(people, (workers) => send<Person[]>("api/people/groups", { workers, change, group })),
  };
}

async function inParts(
  people: readonly Person[],
  act: (workers: GroupMembers["workers"]) => Promise<Person[]>,
): Promise<Person[]> {
  const changed: Person[] = [];
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const workers = people.slice(from, from + AT_ONCE).map(({ worker }) => worker);
    changed.push(...(await act(workers as GroupMembers["workers"])));
  }
  return changed;
}
