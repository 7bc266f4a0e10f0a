/** Where everybody comes in who has no link: players with their team's code, spectators by the list of rooms. */

import { type FormEvent, useEffect, useState } from "react";

import { LanguageChoice } from "../src/words/LanguageChoice";
import { say } from "../src/words/say";
import { listed } from "./course";
import { roomAddress, teamAddress } from "./route";
import "./lobby.css";

interface ListedRoom {
  room: string;
  teams: readonly string[];
}

export function Lobby() {
  const [rooms, setRooms] = useState<readonly ListedRoom[] | null>(null);
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    fetch("rooms")
      .then(async (response) => setRooms(((await response.json()) as { rooms: ListedRoom[] }).rooms))
      .catch(() => setSilent(true));
  }, []);
  return (
    <>
      <LanguageChoice />
      <main className="lobby">
        <h1>{say("event.title")}</h1>
        <JoinForm />
        <section className="card">
          <h2>{say("event.lobby.watch")}</h2>
          {isSilent && <p role="alert">{say("event.lobby.silent")}</p>}
          <ul className="rooms">
            {rooms?.map(({ room, teams }) => (
              <li key={room}>
                <a href={roomAddress(room)}>{say("event.lobby.room", { room, teams: listed(teams) })}</a>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </>
  );
}

function JoinForm() {
  const [code, setCode] = useState("");
  const join = (event: FormEvent) => {
    event.preventDefault();
    location.hash = teamAddress(code);
  };
  return (
    <form className="card" onSubmit={join}>
      <h2>{say("event.lobby.play")}</h2>
      <div className="field">
        <label htmlFor="code">{say("event.lobby.code")}</label>
        <input
          id="code"
          type="text"
          className="code"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </div>
      <button type="submit" className="primary">
        {say("event.lobby.enter")}
      </button>
    </form>
  );
}
