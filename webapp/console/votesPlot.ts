/** Works by the number of their votes. */

import uPlot from "uplot";

import { axis } from "./linesPlot";
import type { Colour, Drawing } from "./Plot";
import type { VotesPerWork } from "./records";

export function votesPlot(byVotes: readonly VotesPerWork[]): (colour: Colour) => Drawing {
  const votes = byVotes.map((each) => each.votes);
  const [first = 0, last = 0] = [votes[0], votes.at(-1)];
  return (colour) => ({
    options: {
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [first - 0.5, last + 0.5] }, y: { range: (_, _low, high) => [0, high] } },
      axes: [{ ...axis(colour), incrs: [1, 2, 5, 10] }, axis(colour)],
      series: [{}, { stroke: colour("accent"), fill: colour("accent"), points: { show: false }, paths: uPlot.paths.bars!({ size: [0.6, 80] }) }],
    },
    data: [votes, byVotes.map(({ works }) => works)],
  });
}
