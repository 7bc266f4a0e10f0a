/** A player's phone: one button to buzz, a field for the answer, the score, protests. */

import { type FormEvent, useCallback, useState } from "react";

import { browserStorage } from "../src/storage/browserStorage";
import { BuzzButton } from "./BuzzButton";
import { mayBuzz, shownPoints, statusOf } from "./course";
import { Frame } from "./Frame";
import type { RoomState } from "./messages";
import { PlayedList } from "./PlayedList";
import { ProtestForm } from "./ProtestForm";
import { Question } from "./Question";
import { Scoreboard } from "./Scoreboard";
import { type Send, useRoom } from "./useRoom";
import "./team.css";

const NAME = "event:player";

export function TeamPage({ code }: { code: string }) {
  const [player, setPlayer] = useState(browserStorage()?.getItem(NAME) ?? "");
  if (player === "") {
    return (
      <NameForm
        onName={(name) => {
          browserStorage()?.setItem(NAME, name);
          setPlayer(name);
        }}
      />
    );
  }
  const rename = () => {
    browserStorage()?.removeItem(NAME);
    setPlayer("");
  };
  return <PlayerPage code={code} player={player} onRename={rename} />;
}

function NameForm({ onName }: { onName: (name: string) => void }) {
  const [name, setName] = useState("");
  const enter = (event: FormEvent) => {
    event.preventDefault();
    onName(name.trim());
  };
  return (
    <main className="lobby">
      <h1>Quizbowl</h1>
      <form className="card" onSubmit={enter}>
        <div className="field">
          <label htmlFor="player">Your name</label>
          <input
            id="player"
            type="text"
            autoComplete="nickname"
            required
            pattern=".*\S.*"
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <button type="submit" className="primary">
          Play
        </button>
      </form>
    </main>
  );
}

function PlayerPage({ code, player, onRename }: { code: string; player: string; onRename: () => void }) {
  const room = useRoom(useCallback(() => ({ role: "team" as const, code, player }), [code, player]));
  if (room.problem !== "") {
    return (
      <main className="waiting">
        <h1>Quizbowl</h1>
        <p role="alert">{room.problem}</p>
        <button type="button" onClick={onRename}>
          Another name
        </button>
        <a href="#/">Another code</a>
      </main>
    );
  }
  return (
    <Frame room={room} who={({ you }) => `${you.team}, ${you.player}`} className="team">
      {(state) => <Game state={state} send={room.send} />}
    </Frame>
  );
}

function Game({ state, send }: { state: RoomState; send: Send }) {
  const { match, tossup, you } = state;
  const team = you.team ?? "";
  const hasFloor = tossup?.floor?.side === team && tossup.floor.player === you.player;
  const own = state.standings.find((standing) => standing.side === team);
  return (
    <>
      <div className="play">
        <p className="status" role="status">
          <span className="own-points">{shownPoints(own?.points ?? 0)} points</span> {statusOf(state)}
        </p>
        {tossup !== null && (
          <div className="scroll" tabIndex={0} role="region" aria-label="The question as far as it has been read">
            <Question text={tossup.text} buzzes={tossup.buzzes} />
          </div>
        )}
        {tossup !== null && hasFloor ? (
          <AnswerForm key={tossup.number} tossup={tossup.number} send={send} />
        ) : (
          <BuzzButton
            label={labelOf(state, team)}
            enabled={mayBuzz(match, tossup, team)}
            onBuzz={() => send({ act: "buzz", tossup: tossup?.number ?? 1 })}
          />
        )}
      </div>
      <section className="card">
        <h2>Score</h2>
        <Scoreboard standings={state.standings} />
      </section>
      <PlayedList
        played={state.played}
        below={(past) => (match.ended ? null : <ProtestForm tossup={past} send={send} />)}
      />
    </>
  );
}

function labelOf({ match, tossup }: RoomState, team: string): string {
  if (mayBuzz(match, tossup, team)) {
    return "Buzz";
  }
  if (tossup === null || match.ended || tossup.over || tossup.words_read === 0) {
    return "Wait";
  }
  if (tossup.floor !== null) {
    return `${tossup.floor.player} was first`;
  }
  return "Your team has answered";
}

function AnswerForm({ tossup, send }: { tossup: number; send: Send }) {
  const [answer, setAnswer] = useState("");
  const [sent, setSent] = useState("");
  const say = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = await send({ act: "say", tossup, answer });
    setSent(refusal === null ? answer : "");
  };
  return (
    <form className="answer" onSubmit={say}>
      <h2>You were first!</h2>
      <div className="field">
        <label htmlFor="answer">Your answer</label>
        <input
          id="answer"
          type="text"
          autoComplete="off"
          autoFocus
          required
          maxLength={200}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </div>
      <button type="submit" className="primary">
        Answer
      </button>
      {sent !== "" && (
        <p role="status">
          You said <q>{sent}</q>. The moderator rules on it.
        </p>
      )}
    </form>
  );
}
