/** The frame of every page on which a HIT is worked on: what stands above the work, below it and over it. */

import { type ReactNode, useEffect, useRef, useState } from "react";

import { Icon } from "../design/icons/Icon";
import type { Desk } from "../pages/page";
import type { Shortcut } from "../design/shortcuts/ShortcutList";
import { Say } from "../words/Say";
import { WorkShortcuts } from "./WorkShortcuts";
import { Tour } from "./guide/Tour";
import type { Guide } from "./guide/guide";
import { isTaken, rememberTour } from "./guide/tours";
import { ConnectionState, TimeLeft, WorkHeader } from "./header/WorkHeader";
import { useShortcuts } from "./useShortcuts";
import "./work.css";

interface Props {
  title: string;
  /** What the header counts. */
  stats: ReactNode;
  endsAt: number | null;
  desk: Desk;
  guide: Guide;
  /** What Ctrl+Enter does, in words too. */
  submit: { words: string; run: () => void };
  /** The page's own. */
  shortcuts?: readonly Shortcut[];
  children: ReactNode;
}

export function WorkPage({ title, stats, endsAt, desk, guide, submit, shortcuts = [], children }: Props) {
  const [dialog, setDialog] = useState<"tour" | "guide" | "shortcuts" | null>(isTaken(guide.name) ? null : "tour");
  const main = useRef<HTMLElement>(null);
  const toWork = useRef(false);

  useShortcuts(submit.run, () => setDialog("shortcuts"), shortcuts);
  useEffect(() => {
    if (dialog === null && toWork.current) {
      toWork.current = false;
      main.current?.focus({ preventScroll: true }); // the tour opened by itself: there is no place to go back to
    }
  }, [dialog]);

  const close = () => {
    if (dialog === "tour") {
      rememberTour(guide.name);
      toWork.current = true;
    }
    setDialog(null);
  };
  return (
    <>
      <WorkHeader title={title} onInstructions={() => setDialog("guide")}>
        {stats}
        <TimeLeft endsAt={endsAt} />
        <ConnectionState desk={desk} />
      </WorkHeader>
      <main ref={main} className="work" tabIndex={-1}>
        {children}
      </main>
      <footer className="page-footer">
        <button type="button" className="quiet" onClick={() => setDialog("shortcuts")}>
          <Icon name="keyboard" />
          <Say of="work.shortcuts" />
        </button>
      </footer>
      {dialog === "shortcuts" && <WorkShortcuts submits={submit.words} shortcuts={shortcuts} onClose={close} />}
      {(dialog === "tour" || dialog === "guide") && <Tour guide={guide} first={dialog === "tour"} onClose={close} />}
    </>
  );
}
