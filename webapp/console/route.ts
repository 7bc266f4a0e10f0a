/** What is shown, in the address: `#/pilot`, `#/pilot/workers?sort=-wins`, `#/pilot/verdicts/3f…`. */

import { decoded, useHash } from "../src/address/hash";

const TABS = ["figures", "workers", "agreement", "verdicts", "acts"] as const;
export type Tab = (typeof TABS)[number];

/** The order and the page of a long list; both may be empty. */
export interface Listed {
  sort: string;
  page: string;
}

export interface Filters {
  model: string;
  outcome: string;
  label: string;
  category: string;
  only: string;
}

export interface Route {
  campaign: string | null;
  /** A campaign that is being started, by the id of its draft. */
  start: string | null;
  tab: Tab;
  attempt: string | null;
  filters: Filters;
  listed: Listed;
}

const STARTS = "~"; // no campaign has it in its name
const NO_FILTERS: Filters = { model: "", outcome: "", label: "", category: "", only: "" };

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
  const [campaign, tab, attempt] = path.split("/").map(decoded);
  const asked = new URLSearchParams(query);
  const filters = { ...NO_FILTERS };
  for (const name of Object.keys(NO_FILTERS) as (keyof Filters)[]) {
    filters[name] = asked.get(name) ?? "";
  }
  const isStart = campaign === STARTS;
  return {
    campaign: isStart ? null : campaign || null,
    start: isStart ? tab || null : null,
    tab: TABS.find((known) => known === tab) ?? "figures",
    attempt: attempt || null,
    filters,
    listed: { sort: asked.get("sort") ?? "", page: asked.get("page") ?? "" },
  };
}

const TITLES: Readonly<Record<Tab, string>> = {
  figures: "Figures",
  workers: "Workers",
  agreement: "Agreement",
  verdicts: "Verdicts",
  acts: "Acts",
};

/** The title of a place, the narrowest first; `campaign` is the name of the one that is shown. */
export function titleOf({ start, tab, attempt }: Route, campaign: string | null): string {
  const places = campaign === null ? [start === null ? "Campaigns" : "New campaign"] : [attempt === null ? TITLES[tab] : "A HIT", campaign];
  return [...places, "Console", "Beat the AI"].join(" – ");
}

export function startAddress(draft: string): string {
  return `#/${STARTS}/${encodeURIComponent(draft)}`;
}

export function figuresAddress(campaign: string): string {
  return `#/${encodeURIComponent(campaign)}`;
}

export function verdictsAddress(campaign: string, filters: Partial<Filters> = {}): string {
  return `${figuresAddress(campaign)}/verdicts${queryOf(filters)}`;
}

export function peopleAddress(campaign: string, listed: Partial<Listed> = {}): string {
  return `${figuresAddress(campaign)}/workers${queryOf(listed)}`;
}

export function agreementAddress(campaign: string, listed: Partial<Listed> = {}): string {
  return `${figuresAddress(campaign)}/agreement${queryOf(listed)}`;
}

export function actsAddress(campaign: string): string {
  return `${figuresAddress(campaign)}/acts`;
}

function queryOf(values: Readonly<Record<string, string>>): string {
  const asked = Object.entries(values).filter(([, value]) => value !== "");
  return asked.length > 0 ? `?${new URLSearchParams(Object.fromEntries(asked))}` : "";
}

export function attemptAddress(campaign: string, attempt: string): string {
  return `${figuresAddress(campaign)}/verdicts/${encodeURIComponent(attempt)}`;
}

/** A place in the reviewers' page of a campaign. */
export function reviewAddress(campaign: string, ...place: readonly string[]): string {
  return `review/${encodeURIComponent(campaign)}/#/${place.map(encodeURIComponent).join("/")}`;
}

export function useRoute(): Route {
  return parse(useHash());
}
