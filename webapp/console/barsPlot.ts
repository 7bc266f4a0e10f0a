/** A histogram. */

import uPlot from "uplot";

import { amount } from "../review/words";
import { axis } from "./linesPlot";
import type { Colour, Drawing } from "./Plot";
import type { Pay } from "./records";

export function barsPlot({ bins, width_cents: width }: Pay): (colour: Colour) => Drawing {
  const middles = bins.map(({ from_cents }) => (from_cents + width / 2) / 100);
  const [first = 0, last = 1] = [bins[0]?.from_cents, bins.at(-1)?.from_cents];
  return (colour) => ({
    options: {
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [first / 100, (last + width) / 100] }, y: { range: (_, _low, high) => [0, high] } },
      axes: [{ ...axis(colour), space: 80, values: (_, ticks) => ticks.map((tick) => amount(100 * tick)) }, axis(colour)],
      series: [{}, { stroke: colour("accent"), fill: colour("accent"), points: { show: false }, paths: uPlot.paths.bars!({ size: [0.9, 100] }) }],
    },
    data: [middles, bins.map(({ assignments }) => assignments)],
  });
}
