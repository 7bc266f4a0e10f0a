/** The time left, counted down here from what the server said last. */

import { useEffect, useState } from "react";

import { say } from "../../words/say";

/** `endsAt` is in milliseconds since 1970, null where there is no limit. Never below 0. */
export function useSecondsLeft(endsAt: number | null): number | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (endsAt === null) {
      return;
    }
    const tick = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(tick);
  }, [endsAt]);
  return endsAt === null ? null : Math.max(0, Math.round((endsAt - now) / 1000));
}

/** When it ends, in milliseconds since 1970. */
export function endOf(secondsLeft: number | null): number | null {
  return secondsLeft === null ? null : Date.now() + secondsLeft * 1000;
}

export function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) {
    return say("work.minutes", { minutes });
  }
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? say("work.hours", { hours }) : say("work.hours_minutes", { hours, minutes: rest });
}

export function clockText(seconds: number): string {
  if (seconds >= 600) {
    return durationText(seconds);
  }
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What to say aloud, at five minutes, at one and at the end; empty in between and before. */
export function clockWarning(seconds: number): string {
  if (seconds === 0) {
    return say("work.time.over");
  }
  if (seconds <= 60) {
    return say("work.time.one_minute");
  }
  return seconds <= 300 ? say("work.time.five_minutes") : "";
}
