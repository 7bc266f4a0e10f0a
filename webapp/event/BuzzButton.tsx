/** It fills what is left of the screen, and takes the finger that comes down, not the one that leaves. */

import { useEffect, useEffectEvent, useState } from "react";

interface Props {
  label: string;
  enabled: boolean;
  onBuzz: () => Promise<unknown>;
}

export function BuzzButton({ label, enabled, onBuzz }: Props) {
  const [waits, setWaits] = useState(false);
  const buzz = () => {
    if (enabled && !waits) {
      setWaits(true);
      void onBuzz().finally(() => setWaits(false));
    }
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === " " && event.target === document.body && !event.repeat) {
      event.preventDefault();
      buzz();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <button
      type="button"
      className="buzz"
      aria-disabled={!enabled || waits}
      onPointerDown={(event) => event.button === 0 && buzz()}
      onClick={buzz}
      data-open={enabled}
    >
      {waits ? "…" : label}
    </button>
  );
}
