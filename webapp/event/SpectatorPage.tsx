/** For everybody who watches. */

import { useCallback } from "react";

import { say } from "../src/words/say";
import { statusOf } from "./course";
import { Frame } from "./Frame";
import { PlayedList } from "./PlayedList";
import { Question } from "./Question";
import { Scoreboard } from "./Scoreboard";
import { useRoom } from "./useRoom";

export function SpectatorPage({ room: name }: { room: string }) {
  const room = useRoom(useCallback(() => ({ role: "spectator" as const, room: name }), [name]));
  return (
    <Frame room={room} who={() => say("event.who.spectator")} className="spectator">
      {(state) => (
        <>
          <section className="card floor">
            <p className="status" role="status">
              {statusOf(state)}
            </p>
            {state.tossup !== null && <Question text={state.tossup.text} buzzes={state.tossup.buzzes} />}
          </section>
          <section className="card">
            <h2>{say("event.score")}</h2>
            <Scoreboard standings={state.standings} />
          </section>
          <PlayedList played={state.played} />
        </>
      )}
    </Frame>
  );
}
