import { type FormEvent, useState } from "react";

import { messageOf, post } from "./api";
import { Problem } from "../src/design/problem/Problem";
import "./signIn.css";

interface Props {
  title?: string;
  purpose?: string;
  onSignedIn: () => Promise<void>;
}

export function SignIn({ title = "Review", purpose = "Sign in to judge workers’ HITs.", onSignedIn }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      await post("api/session", { name, password });
      await onSignedIn();
    } catch (error) {
      setPassword("");
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="door">
      <form className="card" onSubmit={enter}>
        <h1>{title}</h1>
        <p className="muted">{purpose}</p>
        <div className="field">
          <label htmlFor="name">Name</label>
          <input
            id="name"
            type="text"
            autoComplete="username"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="password">Password</label>
          <input
            id="password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </div>
        <Problem message={problem} />
        <button type="submit" className="primary" disabled={busy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
