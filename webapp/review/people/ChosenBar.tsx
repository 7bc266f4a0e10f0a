/** What a lead may do with those who are chosen. An act is there where the state of everybody allows it. */

import type { Ref } from "react";

import type { Person } from "../records";
import { type Change, CHANGE_WORDS, nameOf, people } from "./words";

export type Asked = "invite" | "groups" | "remove";

interface Props {
  chosen: readonly Person[];
  /** Takes the focus after an act, whose button may be gone. */
  heading: Ref<HTMLParagraphElement>;
  onAsk: (asked: Asked) => void;
  onChange: (change: Change) => void;
  onSignInLink: (person: Person) => void;
  onNone: () => void;
}

const AT_ONCE: readonly Change[] = ["approve", "suspend", "restore"];

export function ChosenBar({ chosen, heading, onAsk, onChange, onSignInLink, onNone }: Props) {
  const [first] = chosen;
  const one = chosen.length === 1 ? first : undefined;
  return (
    <section className="card chosen-bar" aria-label="Chosen people">
      <div className="chosen-head">
        <p ref={heading} tabIndex={-1}>
          {one ? <bdi>{nameOf(one)}</bdi> : `${people(chosen.length)} chosen`}
        </p>
        <button type="button" className="quiet" onClick={onNone}>
          Choose nobody
        </button>
      </div>
      <div className="actions">
        {AT_ONCE.filter((change) => chosen.every(({ changes }) => changes.includes(change))).map((change) => (
          <button key={change} type="button" onClick={() => onChange(change)}>
            {CHANGE_WORDS[change]}
          </button>
        ))}
        {one?.state === "invited" && (
          <button type="button" onClick={() => onAsk("invite")}>
            Invite …
          </button>
        )}
        {one?.may_get_link && (
          <button type="button" onClick={() => onSignInLink(one)}>
            Sign-in link
          </button>
        )}
        {chosen.every(({ state }) => state !== "removed") && (
          <button type="button" onClick={() => onAsk("groups")}>
            Groups …
          </button>
        )}
        {one?.changes.includes("remove") && (
          <button type="button" className="danger" onClick={() => onAsk("remove")}>
            {CHANGE_WORDS.remove}
          </button>
        )}
      </div>
    </section>
  );
}
