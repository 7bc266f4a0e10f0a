/** Two rates over time, each a line within the band of its intervals. */

import uPlot from "uplot";

import type { Colour, Drawing } from "./Plot";
import type { Rate } from "./records";

interface Point {
  at: string;
  unverified: Rate;
  verified: Rate;
}

const RATES = ["unverified", "verified"] as const;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const TICKS = [
  ...[1, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((days) => days * DAY),
];
const COLOURS = { unverified: "lost", verified: "accent" };

/** `seconds` is the length of a step, of which a point is the beginning. */
export function linesPlot(points: readonly Point[], seconds: number): (colour: Colour) => Drawing {
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return (colour) => ({
    options: {
      legend: { show: false },
      cursor: { show: false },
      tzDate: (at) => uPlot.tzDate(new Date(1000 * at), "Etc/UTC"),
      scales: { x: { range: [first - seconds / 2, last + seconds / 2] }, y: { range: [0, 1] } },
      axes: [
        { ...axis(colour), space: 90, incrs: TICKS, values: (_, ticks) => timeWords(ticks) },
        {
          ...axis(colour),
          values: (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)}%`),
        },
      ],
      series: [
        {},
        ...RATES.flatMap((name) => [
          { stroke: colour(COLOURS[name]), width: 2, dash: name === "verified" ? [6, 4] : [], points: { size: 5 } },
          { width: 0, points: { show: false } },
          { width: 0, points: { show: false } },
        ]),
      ],
      bands: RATES.map((name, at) => ({
        series: [3 + 3 * at, 2 + 3 * at] as [number, number],
        fill: colour(COLOURS[name], true),
      })),
    },
    data: [
      times,
      ...RATES.flatMap((name) => [
        points.map((point) => point[name].share),
        points.map((point) => bound(point[name], "low")),
        points.map((point) => bound(point[name], "high")),
      ]),
    ],
  });
}

/** UTC, as everywhere: the time of day, and the date where it changes. */
export function timeWords(seconds: readonly number[]): string[] {
  const texts = seconds.map((at) => new Date(1000 * at).toISOString());
  const isMidnight = texts.every((text) => text.slice(11, 16) === "00:00");
  return texts.map((text, at) => {
    const [day, time] = [text.slice(0, 10), text.slice(11, 16)];
    const isNew = texts[at - 1]?.slice(0, 10) !== day;
    return isMidnight ? day : isNew ? `${time}\n${day}` : time;
  });
}

export function axis(colour: Colour) {
  return { stroke: colour("muted"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 } };
}

function bound(rate: Rate, end: "low" | "high"): number | null {
  return rate.share === null ? null : rate[end];
}
