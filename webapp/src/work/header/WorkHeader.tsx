/** The strip on top of every page: what this is, where the worker stands, how much time is left, whether it is connected. */

import { type ReactNode, useEffect, useSyncExternalStore } from "react";

import type { Connection } from "../../crowd/channel";
import { Icon } from "../../design/icons/Icon";
import type { Desk } from "../../pages/page";
import { type Plain, say } from "../../words/say";
import { clockText, clockWarning, useSecondsLeft } from "./useSecondsLeft";
import "./header.css";

interface HeaderProps {
  title: string;
  children?: ReactNode;
  /** Opens the instructions again; a preview has them on the page. */
  onInstructions?: () => void;
}

export function WorkHeader({ title, children, onInstructions }: HeaderProps) {
  return (
    <header className="work-header">
      <div className="work-header-inner">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <div className="stats">{children}</div>
        {onInstructions && (
          <button type="button" className="quiet instructions" aria-haspopup="dialog" onClick={onInstructions}>
            <Icon name="guide" />
            {say("work.instructions")}
          </button>
        )}
      </div>
    </header>
  );
}

interface StatProps {
  label: string;
  children: ReactNode;
  testId?: string;
  tone?: "calm" | "soon" | "urgent";
}

export function Stat({ label, children, testId, tone = "calm" }: StatProps) {
  return (
    <div className={`stat ${tone}`} data-testid={testId}>
      <span className="stat-label">{label} </span>
      <span className="stat-value">{children}</span>
    </div>
  );
}

export function TimeLeft({ endsAt }: { endsAt: number | null }) {
  const seconds = useSecondsLeft(endsAt);
  useEffect(() => {
    if (endsAt !== null) {
      globalThis.tellEndOfWork?.(endsAt);
    }
  }, [endsAt]);
  if (seconds === null) {
    return null;
  }
  const tone = seconds <= 60 ? "urgent" : seconds <= 300 ? "soon" : "calm";
  return (
    <>
      <Stat label={say("work.time.left")} testId="time-left" tone={tone}>
        {tone !== "calm" && <Icon name="clock" />}
        {clockText(seconds)}
      </Stat>
      <p className="time-warning" role="status" data-tone={tone}>
        {clockWarning(seconds)}
      </p>
    </>
  );
}

const CONNECTION_WORDS: Readonly<Record<Connection, Plain>> = {
  connecting: "work.connection.connecting",
  connected: "work.connection.connected",
  "service away": "work.connection.service_away",
  reconnecting: "work.connection.reconnecting",
  refused: "work.connection.refused",
};

export function ConnectionState({ desk }: { desk: Desk }) {
  const { connection, slow } = useSyncExternalStore(desk.subscribe, desk.state);
  return (
    <p className="connection" role="status" data-testid="connection" data-connection={connection} data-slow={slow}>
      <span className="connection-dot" aria-hidden="true" />
      {say(connection === "connected" && slow ? "work.connection.slow" : CONNECTION_WORDS[connection])}
    </p>
  );
}
