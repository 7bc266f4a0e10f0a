/** A player's phone: one button to buzz, a field for the answer, the score, protests. */

import { type FormEvent, useCallback, useState } from "react";

import { browserStorage } from "../src/storage/browserStorage";
import { LanguageChoice } from "../src/words/LanguageChoice";
import { Say } from "../src/words/Say";
import { say } from "../src/words/say";
import { BuzzButton } from "./BuzzButton";
import { mayBuzz, shownPoints, statusOf } from "./course";
import { Frame } from "./Frame";
import type { RoomState } from "./messages";
import { PlayedList } from "./PlayedList";
import { ProtestForm } from "./ProtestForm";
import { Question } from "./Question";
import { Scoreboard } from "./Scoreboard";
import { QUOTED } from "./tags";
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
    <>
      <LanguageChoice />
      <main className="lobby">
        <h1>{say("event.name")}</h1>
        <form className="card" onSubmit={enter}>
          <div className="field">
            <label htmlFor="player">{say("event.player.name")}</label>
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
            {say("event.player.play")}
          </button>
        </form>
      </main>
    </>
  );
}

function PlayerPage({ code, player, onRename }: { code: string; player: string; onRename: () => void }) {
  const room = useRoom(useCallback(() => ({ role: "team" as const, code, player }), [code, player]));
  if (room.problem !== "") {
    return (
      <main className="waiting">
        <h1>{say("event.name")}</h1>
        <p role="alert">{room.problem}</p>
        <button type="button" onClick={onRename}>
          {say("event.player.rename")}
        </button>
        <a href="#/">{say("event.player.recode")}</a>
      </main>
    );
  }
  return (
    <Frame room={room} who={({ you }) => say("event.who.player", { team: you.team ?? "", player: you.player ?? "" })} className="team">
      {(state) => <Game state={state} send={room.send} />}
    </Frame>
  );
}

function Game({ state, send }: { state: RoomState; send: Send }) {
  const { match, tossup, you } = state;
  const team = you.team ?? "";
  const hasFloor = tossup?.floor?.side === team && tossup.floor.player === you.player;
  const points = state.standings.find((standing) => standing.side === team)?.points ?? 0;
  return (
    <>
      <div className="play">
        <p className="status" role="status">
          <span className="own-points">{say("event.points", { count: points, points: shownPoints(points) })}</span>{" "}
          {statusOf(state)}
        </p>
        {tossup !== null && (
          <div className="scroll" tabIndex={0} role="region" aria-label={say("event.question.so_far")}>
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
        <h2>{say("event.score")}</h2>
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
    return say("event.buzz");
  }
  if (tossup === null || match.ended || tossup.over || tossup.words_read === 0) {
    return say("event.buzz.wait");
  }
  if (tossup.floor !== null) {
    return say("event.buzz.first", { player: tossup.floor.player });
  }
  return say("event.buzz.answered");
}

function AnswerForm({ tossup, send }: { tossup: number; send: Send }) {
  const [answer, setAnswer] = useState("");
  const [sent, setSent] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = await send({ act: "say", tossup, answer });
    setSent(refusal === null ? answer : "");
  };
  return (
    <form className="answer" onSubmit={submit}>
      <h2>{say("event.answer.first")}</h2>
      <div className="field">
        <label htmlFor="answer">{say("event.answer.yours")}</label>
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
        {say("event.answer.send")}
      </button>
      {sent !== "" && (
        <p role="status">
          <Say of="event.answer.said" args={{ answer: sent }} tags={QUOTED} />
        </p>
      )}
    </form>
  );
}
