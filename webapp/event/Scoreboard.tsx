/** Points, and what they came from. */

import { say } from "../src/words/say";
import { shownPoints } from "./course";
import type { Standing } from "./records";
import "./scoreboard.css";

export function Scoreboard({ standings }: { standings: readonly Standing[] }) {
  return (
    <table className="scoreboard">
      <caption className="visually-hidden">{say("event.score.standings")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("event.score.team")}</th>
          <th scope="col">{say("event.score.points")}</th>
          <th scope="col">{say("event.score.early")}</th>
          <th scope="col">{say("event.score.right")}</th>
          <th scope="col">{say("event.score.negs")}</th>
        </tr>
      </thead>
      <tbody>
        {standings.map((row) => (
          <tr key={row.side} data-side={row.side}>
            <th scope="row">
              <bdi>{row.side}</bdi>
              {row.model && <span className="muted"> {say("event.score.model")}</span>}
            </th>
            <td className="points">
              <bdi>{shownPoints(row.points)}</bdi>
            </td>
            <td>{shownPoints(row.power)}</td>
            <td>{shownPoints(row.correct)}</td>
            <td>{shownPoints(row.interrupt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
