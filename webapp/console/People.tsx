/** Every worker, in a table that can be sorted. */

import { amount, countIn, moment, STANDING_WORDS } from "../review/words";
import type { Run } from "./App";
import { AsOf } from "./AsOf";
import { Pages } from "./Pages";
import { whole } from "./ProgressCard";
import { countedRateText } from "./rates";
import type { People as PeoplePage, Person } from "./records";
import { type Listed, peopleAddress, reviewAddress } from "./route";
import { Table } from "./Table";
import { useRenewed } from "./useRenewed";

interface Props {
  campaign: string;
  listed: Listed;
  run: Run;
}

/** The name of a column in addresses, and its words. Numbers begin with the highest. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ["name", "Worker"],
  ["attempts", "Attempts"],
  ["wins", "Beat the AI"],
  ["rate", "Share"],
  ["verified", "Verified"],
  ["minutes", "Minutes per win"],
  ["pay", "Pay per hour"],
  ["standing", "Standing"],
  ["seen", "Last seen"],
];
const FIRST = "-attempts";
const UPWARDS: readonly string[] = ["name", "standing"];

export function People({ campaign, listed, run }: Props) {
  const sort = listed.sort || FIRST;
  const people = useRenewed<PeoplePage>(campaign, "people", { sort, page: listed.page }, run);
  if (people === null) {
    return <p role="status">One moment …</p>;
  }
  countIn(people.unit);
  return (
    <>
      <div>
        <h2>Workers</h2>
        <AsOf {...people} />
      </div>
      <section className="card" aria-label="All workers">
        <Table
          name="Table of workers"
          heads
          sorted={{ column: COLUMNS.findIndex(([name]) => name === bare(sort)), isDown: sort.startsWith("-") }}
          header={COLUMNS.map(([name, words]) => (
            <SortLink key={name} name={name} words={words} sort={sort} campaign={campaign} />
          ))}
          rows={people.people.map((person) => cells(campaign, person))}
        />
        <Pages
          {...people}
          noun={people.all === 1 ? "worker" : "workers"}
          address={(page) => peopleAddress(campaign, { sort, page: String(page) })}
        />
        <p className="muted small">
          Everybody who has had a HIT. Attempts are all that count; the other figures leave out what was taken back or
          discarded. Pay is the median over HITs, without fees. An id leads to the worker’s review.
        </p>
      </section>
    </>
  );
}

interface SortLinkProps {
  name: string;
  words: string;
  sort: string;
  campaign: string;
}

function SortLink({ name, words, sort, campaign }: SortLinkProps) {
  const isSorted = bare(sort) === name;
  const isDown = isSorted ? !sort.startsWith("-") : !UPWARDS.includes(name);
  const arrow = !isSorted ? "" : sort.startsWith("-") ? " ↓" : " ↑";
  return (
    <a href={peopleAddress(campaign, { sort: `${isDown ? "-" : ""}${name}`, page: "" })}>
      {words}
      <span aria-hidden="true">{arrow}</span>
    </a>
  );
}

function cells(campaign: string, person: Person): readonly React.ReactNode[] {
  const { name, worker, attempts, wins, unverified, verified, minutes_per_win, hourly_cents, standing } = person;
  const isReviewed = worker !== null && (attempts > 0 || standing !== null);
  const shown = isReviewed ? <a href={reviewAddress(campaign, "workers", worker)}>{worker}</a> : (worker ?? name);
  return [
    shown,
    whole(attempts),
    whole(wins),
    countedRateText(unverified),
    countedRateText(verified),
    minutes_per_win === null ? "–" : minutes_per_win.toFixed(1),
    hourly_cents === null ? "–" : amount(hourly_cents),
    standing === null ? "–" : STANDING_WORDS[standing],
    moment(person.last_seen_at),
  ];
}

function bare(sort: string): string {
  return sort.replace(/^-/, "");
}
