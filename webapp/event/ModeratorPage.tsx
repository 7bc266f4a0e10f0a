/** The moderator's page: the whole text, the place that is reached, who has the floor, rulings and protests. */

import { useCallback, useState } from "react";

import { newId } from "../src/crowd/ids";
import { speakerOf, statusOf } from "./course";
import { Frame } from "./Frame";
import type { ModeratorEvent, RoomState } from "./messages";
import type { ShownBuzz } from "./records";
import { BuzzLine, PlayedList } from "./PlayedList";
import { Question } from "./Question";
import { Reader } from "./Reader";
import { Scoreboard } from "./Scoreboard";
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
    <Frame room={room} who={() => "moderator"} className="moderator">
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
          <p>
            {state.you.chair === "other" ? "Another page moderates this match. " : "Nobody moderates this match now. "}
            If you take the chair, you read and rule from then on.
          </p>
          <button type="button" className="primary" onClick={() => void send({ act: "take_chair" })}>
            Take the chair
          </button>
        </div>
      )}
      <section className="card desk">
        <p className="status" role="status">
          {statusOf(state)}
        </p>
        {tossup !== null && reading != null && (
          <>
            <div className="scroll" tabIndex={0} role="region" aria-label="The question">
              <Question text={reading.text} buzzes={tossup.buzzes} read={tossup.words_read} />
            </div>
            <p className="answer-line">
              <strong>{reading.answer}</strong>
              {reading.aliases.length > 0 && <span className="muted"> or {reading.aliases.join(", ")}</span>}
              {!["", reading.answer].includes(reading.answer_line) && (
                <span className="muted"> ({reading.answer_line})</span>
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
        <h2>Score</h2>
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
      <summary>End the match</summary>
      <div className="actions">
        <p>
          Tossups played: {played.length} of {match.tossups}. {open > 0 && `Open protests: ${open}. `}After the end
          rulings stay, and protests can still be settled.
        </p>
        <button type="button" className="danger" onClick={() => void happen({ event: "ended" })}>
          End it
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
      const todo = state.protests?.length ? " Settle the protests, then end the match." : "";
      return <p>All tossups have been read.{todo}</p>;
    }
    return (
      <button type="button" className="primary wide" onClick={() => void happen({ event: "begun", tossup: next })}>
        {next === 1 ? "Begin with tossup 1" : `Next: tossup ${next}`}
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
        Close the tossup
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
  const rule = (correct: boolean) => void happen({ event: "ruled", tossup, team: floor.side, correct });
  return (
    <div className="ruling">
      <p>
        <strong>{speakerOf(floor)}</strong>
        {reading.said === null ? (
          " is asked. Nothing has been typed yet."
        ) : (
          <>
            {" "}
            says <q>{reading.said}</q>
            {reading.said_is_a_name && ", which is one of its names."}
          </>
        )}
      </p>
      <div className="verdicts">
        <button type="button" className="right" onClick={() => rule(true)}>
          Right
        </button>
        <button type="button" className="wrong" onClick={() => rule(false)}>
          Wrong
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
      Take back: {buzz.side} was {correct ? "right" : "wrong"}
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
      <h2>Protests</h2>
      <ul>
        {protests.map(({ tossup, team, against, reason }) => (
          <li key={`${tossup} ${team} ${against}`}>
            <p>
              Tossup {tossup}: <strong>{team}</strong> protests against the ruling on {against}: <q>{reason}</q>
            </p>
            {enabled && (
              <div className="actions">
                {[true, false].map((correct) => (
                  <button
                    key={String(correct)}
                    type="button"
                    onClick={() => void happen({ event: "settled", tossup, against, correct })}
                  >
                    {against} was {correct ? "right" : "wrong"}
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

function People({ state }: { state: RoomState }) {
  const { people } = state;
  if (people === undefined) {
    return null;
  }
  return (
    <section className="card people">
      <h2>Teams</h2>
      <dl>
        {people.teams.map(({ team, code, players }) => (
          <div key={team}>
            <dt>
              {team}: <code>{`${code.slice(0, 4)} ${code.slice(4)}`}</code>
            </dt>
            <dd className="muted">{players.length > 0 ? players.join(", ") : "nobody yet"}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">Spectators: {people.spectators}</p>
    </section>
  );
}
