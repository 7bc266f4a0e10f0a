/** Reads word by word: one for each press, and on at a pace as long as the button or the space bar is held. */

import { useEffect, useEffectEvent, useRef, useState } from "react";

import { browserStorage } from "../src/storage/browserStorage";
import { say } from "../src/words/say";
import "./reader.css";

const PACE = "event:words-per-minute";
const SLOWEST = 60;
const FASTEST = 360;
const USUAL = 180;

interface Props {
  read: number;
  words: number;
  /** Resolves when the server has kept it. */
  onRead: (words: number) => Promise<unknown>;
}

export function Reader({ read, words, onRead }: Props) {
  const [pace, setPace] = useState(() => Number(browserStorage()?.getItem(PACE)) || USUAL);
  const held = useRef(false);
  const busy = useRef(false);
  const step = useEffectEvent(async () => {
    if (busy.current || read >= words) {
      return;
    }
    busy.current = true;
    const wait = new Promise((resolve) => setTimeout(resolve, 60_000 / pace));
    try {
      await onRead(read + 1);
      if (held.current) {
        await wait;
      }
    } finally {
      busy.current = false;
    }
    if (held.current) {
      void step();
    }
  });
  const hold = useEffectEvent(() => {
    held.current = true;
    void step();
  });
  useEffect(() => {
    const release = () => {
      held.current = false;
    };
    const down = (event: KeyboardEvent) => {
      if (isReading(event)) {
        event.preventDefault();
        if (!event.repeat) {
          hold();
        }
      }
    };
    const up = (event: KeyboardEvent) => {
      if (isReading(event)) {
        event.preventDefault(); // or Firefox clicks the button
      }
    };
    document.addEventListener("keydown", down);
    document.addEventListener("keyup", up);
    for (const name of ["keyup", "pointerup", "pointercancel", "blur"]) {
      addEventListener(name, release);
    }
    return () => {
      release();
      document.removeEventListener("keydown", down);
      document.removeEventListener("keyup", up);
      for (const name of ["keyup", "pointerup", "pointercancel", "blur"]) {
        removeEventListener(name, release);
      }
    };
  }, []);
  const change = (value: number) => {
    setPace(value);
    browserStorage()?.setItem(PACE, String(value));
  };
  return (
    <>
      <button
        type="button"
        className="primary wide read"
        aria-disabled={read >= words}
        onPointerDown={() => hold()}
        onClick={(event) => event.detail === 0 && void step()}
        onContextMenu={(event) => event.preventDefault()}
      >
        {say(read >= words ? "event.reader.done" : "event.reader.next")}
      </button>
      <label className="pace">
        <span>{say("event.reader.pace", { pace, read, words })}</span>
        <input
          type="range"
          min={SLOWEST}
          max={FASTEST}
          step={20}
          value={pace}
          onChange={(event) => change(Number(event.target.value))}
        />
      </label>
    </>
  );
}

function isReading(event: KeyboardEvent): boolean {
  return event.key === " " && event.target instanceof HTMLElement && event.target.matches("body, .read");
}
