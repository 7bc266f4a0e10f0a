/** Signed in or not. */

import { useCallback, useEffect, useState } from "react";

import { get, messageOf, post, type Session } from "./api";
import { Problem } from "../src/design/problem/Problem";
import { ReviewPage } from "./ReviewPage";
import { SignIn } from "./SignIn";
import { countIn } from "./words";

export function App() {
  const [session, setSession] = useState<Session | null>(null);
  const [problem, setProblem] = useState("");
  const [hasEntered, setEntered] = useState(false);
  const load = useCallback(async () => {
    try {
      const found = await get<Session>("api/session");
      if (found.reviewer !== null) {
        countIn(found.unit);
      }
      setSession(found);
      setProblem("");
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, []);
  useEffect(() => void load(), [load]);
  if (session === null) {
    return (
      <main>
        <h1>Review</h1>
        <p role="status">{problem || "One moment …"}</p>
      </main>
    );
  }
  if (session.reviewer === null) {
    const enter = async () => {
      setEntered(true);
      await load();
    };
    return <SignIn onSignedIn={enter} />;
  }
  if (!session.rights.includes("judge")) {
    const leave = () => post("api/sign-out", {}, session.form_token).then(load, (error) => setProblem(messageOf(error)));
    return (
      <main>
        <h1>Review</h1>
        <p>
          You are signed in as {session.reviewer}. The role {session.role} watches the console and reviews nothing.
        </p>
        <Problem message={problem} />
        <button type="button" onClick={leave}>
          Sign out
        </button>
      </main>
    );
  }
  return <ReviewPage session={session} hasEntered={hasEntered} onSessionChanged={load} />;
}
