/** The moderator's page: the whole text, the place that is reached, who has the floor, rulings and protests. */

import { type ReactNode, useCallback, useState } from "react";

import { newId } from "../src/crowd/ids";
import { Say } from "../src/words/Say";
import { say } from "../src/words/say";
import { choiceOf, listed, speakerOf, statusOf } from "./course";
import { Frame } from "./Frame";
import type { ModeratorEvent, RoomState } from "./messages";
import type { ShownBuzz } from "./records";
import { BuzzLine, PlayedList } from "./PlayedList";
import { Question } from "./Question";
import { Reader } from "./Reader";
import { Scoreboard } from "./Scoreboard";
import { QUOTED } from "./tags";
import { type Send, useRoom } from "./useRoom";
import "./moderator.css";

export function ModeratorPage({ room: name, token }: { room: string; token: string }) {
  const [page] = useState(pageId);
  const hello = useCallback(
    (last: RoomState | null) => ({
      role: "moderator" as const,
      room: name,
      token,
      page,
      chair: last?.you.chair !== "other",
    }),
    [name, token, page],
  );
  const room = useRoom(hello);
  return (
    <Frame room={room} who={() => say("event.who.moderator")} className="moderator">
      {(state) => <Desk state={state} send={room.send} />}
    </Frame>
  );
}

const PAGE = "event:page";

/** The same after a reload, another in another tab. */
function pageId(): string {
  try {
    const id = sessionStorage.getItem(PAGE) ?? newId();
    sessionStorage.setItem(PAGE, id);
    return id;
  } catch {
    return newId();
  }
}

function Desk({ state, send }: { state: RoomState; send: Send }) {
  const { match, tossup, reading } = state;
  const happen = (event: ModeratorEvent) => send({ act: "happen", event });
  const hasChair = state.you.chair === "yours";
  const beside = (number: number) => (buzz: ShownBuzz) =>
    hasChair && !match.ended && buzz.right !== null ? (
      <TakeBack buzz={buzz} number={number} happen={happen} />
    ) : null;
  return (
    <>
      {!hasChair && (
        <div className="chair card">
          <p>{say(state.you.chair === "other" ? "event.chair.other" : "event.chair.nobody")}</p>
          <button type="button" className="primary" onClick={() => void send({ act: "take_chair" })}>
            {say("event.chair.take")}
          </button>
        </div>
      )}
      <section className="card desk">
        <p className="status" role="status">
          {statusOf(state)}
        </p>
        {tossup !== null && reading != null && (
          <>
            <div className="scroll" tabIndex={0} role="region" aria-label={say("event.question")}>
              <Question text={reading.text} buzzes={tossup.buzzes} read={tossup.words_read} />
            </div>
            <p className="answer-line">
              <strong dir="auto">{reading.answer}</strong>
              {reading.aliases.length > 0 && (
                <span className="muted"> {say("event.reading.or", { names: listed(reading.aliases) })}</span>
              )}
              {!["", reading.answer].includes(reading.answer_line) && (
                <span className="muted">
                  {" "}
                  (<bdi dir="auto">{reading.answer_line}</bdi>)
                </span>
              )}
            </p>
          </>
        )}
        {hasChair && <Controls state={state} happen={happen} />}
        {tossup?.buzzes.some((buzz) => buzz.right !== null) && (
          <ul className="rulings">
            {tossup.buzzes
              .filter((buzz) => buzz.right !== null)
              .map((buzz) => (
                <li key={buzz.side}>
                  <BuzzLine buzz={buzz} protested={false} />
                  {beside(tossup.number)(buzz)}
                </li>
              ))}
          </ul>
        )}
        {hasChair && !match.ended && tossup?.over && <Ending state={state} happen={happen} />}
      </section>
      <Protests state={state} happen={happen} enabled={hasChair} />
      <section className="card">
        <h2>{say("event.score")}</h2>
        <Scoreboard standings={state.standings} />
      </section>
      <People state={state} />
      <PlayedList played={state.played} beside={(past, buzz) => beside(past.number)(buzz)} />
    </>
  );
}

type Happen = (event: ModeratorEvent) => Promise<string | null>;

/** Asks once more: what has ended cannot be taken up again. */
function Ending({ state, happen }: { state: RoomState; happen: Happen }) {
  const { match, played, protests } = state;
  const open = protests?.length ?? 0;
  return (
    <details>
      <summary>{say("event.desk.end")}</summary>
      <div className="actions">
        <p>{say("event.desk.end.text", { played: played.length, count: match.tossups, open })}</p>
        <button type="button" className="danger" onClick={() => void happen({ event: "ended" })}>
          {say("event.desk.end.now")}
        </button>
      </div>
    </details>
  );
}

function Controls({ state, happen }: { state: RoomState; happen: Happen }) {
  const { match, tossup, reading } = state;
  if (match.ended) {
    return null;
  }
  if (tossup === null || reading == null || tossup.over) {
    const next = (tossup?.number ?? 0) + 1;
    if (next > match.tossups) {
      return <p>{say(state.protests?.length ? "event.desk.all_read.protests" : "event.desk.all_read")}</p>;
    }
    return (
      <button type="button" className="primary wide" onClick={() => void happen({ event: "begun", tossup: next })}>
        {next === 1 ? say("event.desk.begin") : say("event.desk.next", { number: next })}
      </button>
    );
  }
  if (tossup.floor !== null) {
    return <Ruling tossup={tossup.number} floor={tossup.floor} reading={reading} happen={happen} />;
  }
  return (
    <>
      <Reader
        read={tossup.words_read}
        words={reading.words}
        onRead={(words) => happen({ event: "read", tossup: tossup.number, words })}
      />
      <button type="button" onClick={() => void happen({ event: "closed", tossup: tossup.number })}>
        {say("event.desk.close")}
      </button>
    </>
  );
}

interface RulingProps {
  tossup: number;
  floor: { side: string; player: string };
  reading: NonNullable<RoomState["reading"]>;
  happen: Happen;
}

function Ruling({ tossup, floor, reading, happen }: RulingProps) {
  const { said } = reading;
  const who = speakerOf(floor);
  const rule = (correct: boolean) => void happen({ event: "ruled", tossup, team: floor.side, correct });
  return (
    <div className="ruling">
      <p>
        {said === null ? (
          <Say of="event.desk.silent" args={{ who }} />
        ) : (
          <Say
            of={reading.said_is_a_name ? "event.desk.says.name" : "event.desk.says"}
            args={{ who, said }}
            tags={QUOTED}
          />
        )}
      </p>
      <div className="verdicts">
        <button type="button" className="right" onClick={() => rule(true)}>
          {say("event.desk.right")}
        </button>
        <button type="button" className="wrong" onClick={() => rule(false)}>
          {say("event.desk.wrong")}
        </button>
      </div>
    </div>
  );
}

function TakeBack({ buzz, number, happen }: { buzz: ShownBuzz; number: number; happen: Happen }) {
  const correct = buzz.right !== true;
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => void happen({ event: "ruled", tossup: number, team: buzz.side, correct })}
    >
      {say("event.desk.take_back", { side: buzz.side, right: choiceOf(correct) })}
    </button>
  );
}

function Protests({ state, happen, enabled }: { state: RoomState; happen: Happen; enabled: boolean }) {
  const protests = state.protests ?? [];
  if (protests.length === 0) {
    return null;
  }
  return (
    <section className="card protests">
      <h2>{say("event.protests")}</h2>
      <ul>
        {protests.map(({ tossup, team, against, reason }) => (
          <li key={`${tossup} ${team} ${against}`}>
            <p>
              <Say of="event.protests.one" args={{ number: tossup, team, against, reason }} tags={QUOTED} />
            </p>
            {enabled && (
              <div className="actions">
                {[true, false].map((correct) => (
                  <button
                    key={String(correct)}
                    type="button"
                    onClick={() => void happen({ event: "settled", tossup, against, correct })}
                  >
                    {say("event.desk.was", { side: against, right: choiceOf(correct) })}
                  </button>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const CODE = { code: (children: ReactNode[]) => <code dir="ltr">{children}</code> };

function People({ state }: { state: RoomState }) {
  const { people } = state;
  if (people === undefined) {
    return null;
  }
  return (
    <section className="card people">
      <h2>{say("event.people.teams")}</h2>
      <dl>
        {people.teams.map(({ team, code, players }) => (
          <div key={team}>
            <dt>
              <Say of="event.people.code" args={{ team, letters: `${code.slice(0, 4)} ${code.slice(4)}` }} tags={CODE} />
            </dt>
            <dd className="muted">{players.length > 0 ? listed(players) : say("event.people.nobody")}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{say("event.people.spectators", { count: people.spectators })}</p>
    </section>
  );
}
