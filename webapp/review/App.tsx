/** Signed in or not. */

import { useCallback, useEffect, useState } from "react";

import { get, messageOf, type Session } from "./api";
import { ReviewPage } from "./ReviewPage";
import { SignIn } from "./SignIn";

export function App() {
  const [session, setSession] = useState<Session | null>(null);
  const [problem, setProblem] = useState("");
  const load = useCallback(async () => {
    try {
      setSession(await get<Session>("/api/session"));
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
    return <SignIn onSignedIn={load} />;
  }
  return <ReviewPage session={session} onSessionChanged={load} />;
}
