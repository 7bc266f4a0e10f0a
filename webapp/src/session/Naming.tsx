/** Who somebody is who comes without a crowd: a name that is chosen once. */

import { type FormEvent, useState } from "react";

import { say } from "../words/say";

import "./session.css";

const MOST_CHARS = 40;

interface Props {
  title: string;
  onName: (name: string) => void;
}

export function Naming({ title, onName }: Props) {
  const [name, setName] = useState("");
  const chosen = name.trim().replace(/\s+/g, " ");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== "") {
      onName(chosen);
    }
  };
  return (
    <main className="notice-page">
      <form className="card" onSubmit={submit}>
        <h1>{title}</h1>
        <div className="field">
          <label htmlFor="name">{say("session.name")}</label>
          <input
            id="name"
            type="text"
            autoComplete="nickname"
            autoFocus
            required
            maxLength={MOST_CHARS}
            value={name}
            aria-describedby="name-use"
            onChange={(event) => setName(event.target.value)}
          />
          <p id="name-use" className="small">
            {say("session.name.use")}
          </p>
        </div>
        <button type="submit" className="primary" disabled={chosen === ""}>
          {say("session.name.begin")}
        </button>
      </form>
    </main>
  );
}
