/** A room as the server shows it to this page, and how to speak to it. */

import { useCallback, useEffect, useRef, useState } from "react";

import { Connection, type Snapshot } from "./connection";
import type { Command, Hello, RoomState } from "./messages";

/** Resolves with the reason where it was refused. */
export type Send = (command: Command) => Promise<string | null>;

export interface Room extends Snapshot {
  /** Why the last command was refused. */
  refusal: string;
  send: Send;
}

/** `hello` must not change as long as the page is the same. */
export function useRoom(hello: (last: RoomState | null) => Hello): Room {
  const [snapshot, setSnapshot] = useState<Snapshot>({ state: null, connected: false, problem: "" });
  const [refusal, setRefusal] = useState("");
  const connection = useRef<Connection | null>(null);
  useEffect(() => {
    const opened = new Connection(hello, setSnapshot, () => new WebSocket(socketAddress()));
    connection.current = opened;
    return () => opened.end();
  }, [hello]);
  const send = useCallback(async (command: Command) => {
    setRefusal("");
    const error = (await connection.current?.send(command)) ?? null;
    setRefusal(error ?? "");
    return error;
  }, []);
  return { ...snapshot, refusal, send };
}

function socketAddress(): string {
  const address = new URL("socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
