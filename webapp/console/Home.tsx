/** The campaigns whose stores know who has signed in, each in a line. */

import { useEffect, useState } from "react";

import { get } from "../review/api";
import { amountIn, percent } from "../review/words";
import type { Run } from "./App";
import { whole } from "./ProgressCard";
import type { Campaign, Line, Lines, SignedIn } from "./records";
import { figuresAddress, reviewAddress } from "./route";
import { Starts } from "./starts/Starts";
import { Table } from "./Table";
import "./starts/starts.css";

const SOON_MS = 2000; // while figures are still being made
const LATER_MS = 30_000;

interface Props {
  session: SignedIn;
  run: Run;
}

export function Home({ session: { campaigns, away, may_start, form_token }, run }: Props) {
  const lines = useLines(campaigns, run);
  return (
    <>
      <h2>Campaigns</h2>
      <section className="card" aria-label="All campaigns">
        {campaigns.length === 0 && <p>You see no campaign here yet.</p>}
        {campaigns.length > 0 && (
          <Table
            name="Table of campaigns"
            heads
            header={["Campaign", "Place", "Needs a person", "State", "HITs submitted", "Attempts", "Beat the AI", "Money of the cap", "Review"]}
            rows={campaigns.map((campaign) => cells(campaign, lines.get(campaign.key)))}
          />
        )}
        {away.length > 0 && (
          <ul className="small to-correct" aria-label="Campaigns that do not answer">
            {away.map((place) => (
              <li key={place}>
                <bdi>{place}</bdi> cannot be shown: its store does not answer, or cannot be read. The console’s log says why. It is tried again.
              </li>
            ))}
          </ul>
        )}
      </section>
      {may_start && <Starts token={form_token} run={run} />}
    </>
  );
}

function useLines(campaigns: readonly Campaign[], run: Run): ReadonlyMap<string, Line> {
  const [lines, setLines] = useState<ReadonlyMap<string, Line>>(new Map());
  const watches = campaigns.some(({ rights }) => rights.includes("watch"));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const ask = async () => {
      let pause = LATER_MS;
      if (document.visibilityState === "visible") {
        await run(async () => {
          const answer = await get<Lines>("api/lines");
          pause = answer.lines.some(({ figures }) => figures === null) ? SOON_MS : LATER_MS;
          setLines(new Map(answer.lines.map((line) => [line.key, line])));
        });
      }
      if (!isOver) {
        timer = setTimeout(() => void ask(), pause);
      }
    };
    if (watches) {
      void ask();
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [watches, run]);
  return lines;
}

function cells({ key, id, place, role, rights }: Campaign, line: Line | undefined): readonly React.ReactNode[] {
  const review = rights.includes("judge") && (
    <a href={reviewAddress(key)}>
      Review<span className="visually-hidden"> {id}</span>
    </a>
  );
  if (!rights.includes("watch")) {
    return [id, place, "", `The role ${role} does not see its console`, "", "", "", "", review];
  }
  const name = <a href={figuresAddress(key)}>{id}</a>;
  if (line === undefined || line.figures === null) {
    return [name, place, "", "One moment …", "", "", "", "", review];
  }
  const { round, closed, hits, hits_submitted, attempts, unverified, used_cents, cap_cents, unit, needs } = line.figures;
  const waiting = needs !== null && (needs > 0 ? <strong>{whole(needs)}</strong> : "nothing");
  return [
    name,
    place,
    waiting,
    stateWords(line.served, round, closed),
    `${whole(hits_submitted)} of ${whole(hits)}`,
    whole(attempts),
    unverified.share === null ? "–" : percent(unverified.share),
    `${amountIn(unit, used_cents)} of ${amountIn(unit, cap_cents)}`,
    review,
  ];
}

function stateWords(served: readonly string[] | null, round: number, closed: boolean): string {
  const which = round === 1 ? "" : `, round ${round}`;
  if (served !== null && served.length > 0) {
    return `serves ${served.join(", ")}${which}`;
  }
  return `${closed ? "closed" : served === null ? "open" : "not served"}${which}`;
}
