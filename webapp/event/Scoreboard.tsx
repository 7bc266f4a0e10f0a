/** Points, and what they came from. */

import { shownPoints } from "./course";
import type { Standing } from "./records";
import "./scoreboard.css";

export function Scoreboard({ standings }: { standings: readonly Standing[] }) {
  return (
    <table className="scoreboard">
      <caption className="visually-hidden">Standings</caption>
      <thead>
        <tr>
          <th scope="col">Team</th>
          <th scope="col">Points</th>
          <th scope="col">Early</th>
          <th scope="col">Right</th>
          <th scope="col">Negs</th>
        </tr>
      </thead>
      <tbody>
        {standings.map((row) => (
          <tr key={row.side} data-side={row.side}>
            <th scope="row">
              {row.side}
              {row.model && <span className="muted"> (model)</span>}
            </th>
            <td className="points">{shownPoints(row.points)}</td>
            <td>{row.power}</td>
            <td>{row.correct}</td>
            <td>{row.interrupt}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
