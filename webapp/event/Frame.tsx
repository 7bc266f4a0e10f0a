/** What stands around every page of a room: where one is, whether the server hears, and what went wrong. */

import type { ReactNode } from "react";

import { Icon } from "../src/design/icons/Icon";
import { LanguageChoice } from "../src/words/LanguageChoice";
import { say } from "../src/words/say";
import type { RoomState } from "./messages";
import type { Room } from "./useRoom";
import "./frame.css";

interface Props {
  room: Room;
  who: (state: RoomState) => string;
  className: string;
  children: (state: RoomState) => ReactNode;
}

export function Frame({ room, who, className, children }: Props) {
  const { state, connected, problem, refusal } = room;
  if (state === null || problem !== "") {
    return (
      <main className="waiting">
        <h1>{say("event.name")}</h1>
        <p role="status">{problem || say("event.wait")}</p>
        {problem !== "" && <a href="#/">{say("event.back")}</a>}
      </main>
    );
  }
  return (
    <div className={`frame ${className}`}>
      <header>
        <h1>
          {say("event.room", { room: state.match.room })} <span className="muted">{who(state)}</span>
        </h1>
        <span className="connection" data-connected={connected}>
          <Icon name={connected ? "good" : "warning"} /> {say(connected ? "event.connected" : "event.connecting")}
        </span>
      </header>
      {refusal !== "" && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      <main>{children(state)}</main>
      <LanguageChoice />
    </div>
  );
}
