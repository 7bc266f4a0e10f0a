/**
 * The tabs of one HIT: the newest has it, so that no two keep a draft, or show a state that the other has changed. An older
 * one goes on when it is looked at and the newest is gone.
 */

import { newId } from "../crowd/ids";

const GONE_MS = 1_500; // a tab that is reloaded comes back sooner

type Message = { opened: string } | { closed: string };

/** `onTaken`: a newer tab has opened. `onFree`: it was closed, and this one is looked at. Returns how to stop. */
export function watchTabs(assignment: string, onTaken: () => void, onFree: () => void): () => void {
  const channel = new BroadcastChannel(`beat-the-ai:${assignment}`);
  const id = newId();
  let newest: string | null = null;
  let taken = false;
  let free: ReturnType<typeof setTimeout> | undefined;
  const goOn = () => {
    if (taken && newest === null && free === undefined && document.visibilityState === "visible") {
      onFree();
    }
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    clearTimeout(free);
    free = undefined;
    if ("opened" in data) {
      newest = data.opened;
      taken = true;
      onTaken();
    } else if (data.closed === newest) {
      newest = null;
      free = setTimeout(() => {
        free = undefined;
        goOn();
      }, GONE_MS);
    }
  };
  const leave = () => channel.postMessage({ closed: id });
  channel.postMessage({ opened: id });
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", goOn);
  return () => {
    clearTimeout(free);
    window.removeEventListener("pagehide", leave);
    document.removeEventListener("visibilitychange", goOn);
    channel.close();
  };
}
