/** Where everybody comes in who has no link: players with their team's code, spectators by the list of rooms. */

import { type FormEvent, useEffect, useState } from "react";

import { roomAddress, teamAddress } from "./route";
import "./lobby.css";

interface ListedRoom {
  room: string;
  teams: readonly string[];
}

export function Lobby() {
  const [rooms, setRooms] = useState<readonly ListedRoom[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    fetch("rooms")
      .then(async (response) => setRooms(((await response.json()) as { rooms: ListedRoom[] }).rooms))
      .catch(() => setProblem("The server does not answer. Please reload this page."));
  }, []);
  return (
    <main className="lobby">
      <h1>Quizbowl against the machine</h1>
      <JoinForm />
      <section className="card">
        <h2>Watch</h2>
        {problem !== "" && <p role="alert">{problem}</p>}
        <ul className="rooms">
          {rooms?.map(({ room, teams }) => (
            <li key={room}>
              <a href={roomAddress(room)}>
                Room {room}: {teams.join(", ")}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </main>
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
      <h2>Play</h2>
      <div className="field">
        <label htmlFor="code">Your team’s code</label>
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
        Go on
      </button>
    </form>
  );
}
