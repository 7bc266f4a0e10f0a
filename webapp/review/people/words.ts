/** States and dates of people, and the acts of a lead, as the page says them. */

import type { Person, StateChange } from "../records";

export type State = Person["state"];
export type Change = StateChange["change"];

export const STATE_WORDS: Readonly<Record<State, string>> = {
  invited: "Invited",
  unconfirmed: "Address not confirmed",
  waiting: "Waits for approval",
  active: "May work",
  suspended: "Suspended",
  removed: "Removed",
};

export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  approve: "Approve",
  suspend: "Suspend",
  restore: "Restore",
  remove: "Remove …",
};

export const DONE_WORDS: Readonly<Record<Change, string>> = {
  approve: "may work",
  suspend: "signed out until they are restored",
  restore: "back as before",
  remove: "removed",
};

/** "2026-01-31" */
export function day(at: string): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function people(number: number): string {
  return number === 1 ? "1 person" : `${number.toLocaleString("en")} people`;
}

export function nameOf({ name, worker }: Person): string {
  return name ?? worker;
}
