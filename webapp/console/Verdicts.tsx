/** The feed of verdicts, the newest first, with filters. It goes on by itself while nobody reads further down. */

import { useCallback, useEffect, useRef, useState } from "react";

import { get } from "../review/api";
import { SelectField } from "../review/SelectField";
import type { Run } from "./App";
import { brings, joined, without } from "./feeds";
import type { Feed } from "./records";
import { type Filters, verdictsAddress } from "./route";
import { useChanges } from "./useChanges";
import { VerdictRow } from "./VerdictRow";
import "./verdicts.css";

interface Props {
  campaign: string;
  filters: Filters;
  run: Run;
}

const AT_THE_TOP = 240; // pixels that may be scrolled

export function Verdicts({ campaign, filters, run }: Props) {
  const [feed, setFeed] = useState<Feed | null>(null);
  const [newer, setNewer] = useState<Feed | null>(null);
  const [toTop, setToTop] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const read = useCallback(
    (before: string) => get<Feed>(`api/feed?${new URLSearchParams({ campaign, ...filters, before })}`),
    [campaign, filters],
  );
  const renew = useCallback(
    () =>
      run(async () => {
        const first = await read("");
        setFeed((shown) => {
          const isRead = scrollY > AT_THE_TOP || list.current?.contains(document.activeElement) === true;
          if (shown === null || !isRead || !brings(first, shown)) {
            setNewer(null);
            return shown === null ? first : joined(first, shown);
          }
          setNewer(first);
          return shown;
        });
      }),
    [read, run],
  );
  useEffect(() => void renew(), [renew]);
  useChanges(campaign, () => void renew());
  useEffect(() => {
    if (toTop) {
      scrollTo({ top: 0 });
      list.current?.querySelector("a")?.focus(); // the button is gone
      setToTop(false);
    }
  }, [toTop]);
  const more = () =>
    run(async () => {
      if (feed !== null && feed.before !== null) {
        const next = await read(feed.before);
        setFeed({ ...next, verdicts: [...feed.verdicts, ...without(next.verdicts, feed.verdicts)] });
      }
    });
  const showNewer = () => {
    if (feed !== null && newer !== null) {
      setFeed(joined(newer, feed));
      setNewer(null);
      setToTop(true);
    }
  };
  return (
    <>
      <h2>Verdicts</h2>
      {feed !== null && <Choices campaign={campaign} filters={filters} feed={feed} />}
      {newer !== null && (
        <p className="newer">
          <button type="button" className="primary" onClick={showNewer}>
            Show newer verdicts
          </button>
        </p>
      )}
      {feed === null ? (
        <p role="status">One moment …</p>
      ) : (
        <>
          {feed.verdicts.length === 0 && (
            <p className="card">{noneWords(feed, filters)}</p>
          )}
          <ol className="feed" ref={list} aria-label="Verdicts, the newest first">
            {feed.verdicts.map((verdict) => (
              <VerdictRow key={verdict.attempt} campaign={campaign} verdict={verdict} work={feed.words.work} />
            ))}
          </ol>
          {feed.before !== null && (
            <p>
              <button type="button" onClick={more}>
                {feed.verdicts.length === 0 ? "Look further back" : "Older verdicts"}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}

interface ChoicesProps {
  campaign: string;
  filters: Filters;
  feed: Feed;
}

function Choices({ campaign, filters, feed }: ChoicesProps) {
  const choose = (name: keyof Filters, value: string) => {
    location.hash = verdictsAddress(campaign, { ...filters, [name]: value });
  };
  const choices: readonly (readonly [keyof Filters, string, readonly (readonly [string, string])[]])[] = [
    ["outcome", "Outcome", [["beaten", "Beat the AI"], ["right", "The AI was right"]]],
    ["only", "Only", [["held", "On hold"], ["divided", "Votes differ"]]],
    ["model", "Model", feed.models.map((name) => [name, name] as const)],
    ["category", "Category", feed.categories.map((name) => [name, name] as const)],
    ["label", "Label", feed.labels.map((name) => [name, name] as const)],
  ];
  return (
    <div className="filters">
      {choices
        .filter(([name, , options]) => options.length > 1 || filters[name] !== "")
        .map(([name, word, options]) => (
          <SelectField
            key={name}
            label={word}
            value={filters[name]}
            none="All"
            options={options}
            onChange={(value) => choose(name, value)}
          />
        ))}
    </div>
  );
}

function noneWords({ before }: Feed, filters: Filters): string {
  if (before !== null) {
    return "None of the newest attempts matches these filters.";
  }
  return Object.values(filters).some((value) => value !== "") ? "No attempt matches these filters." : "There is no attempt yet.";
}
