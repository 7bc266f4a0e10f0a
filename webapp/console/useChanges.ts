/** Calls back when the campaign has changed. Nothing is open while nobody sees the page. */

import { useEffect, useEffectEvent } from "react";

const RETRY_MS = 5000;

/** `onChange` comes at each (re)connection too, as something may have changed before it, and when it is refused. */
export function useChanges(campaign: string, onChange: () => void): void {
  const change = useEffectEvent(onChange);
  useEffect(() => {
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(retry);
      source?.close();
      source = null;
      if (document.visibilityState === "visible") {
        const opened = new EventSource(`api/changes?${new URLSearchParams({ campaign })}`);
        source = opened;
        source.addEventListener("open", () => change());
        source.addEventListener("changed", () => change());
        source.addEventListener("error", () => {
          if (opened.readyState !== EventSource.CLOSED) return;
          change();
          retry = setTimeout(listen, RETRY_MS); // a browser does not, after the 502 of a proxy whose server is away
        });
      }
    };
    listen();
    document.addEventListener("visibilitychange", listen);
    return () => {
      document.removeEventListener("visibilitychange", listen);
      clearTimeout(retry);
      source?.close();
    };
  }, [campaign]);
}
