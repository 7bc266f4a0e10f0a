/** A forecast with 90% intervals, and how right it was once there is an outcome. */

import type { ForecastPart, ForecastRow, ShownForecast } from "./records";
import { Table } from "./Table";
import "./forecast.css";

const OF_THE_PILOT = "Measured";

export function ForecastTables({ forecast: { made, parts, assumptions } }: { forecast: ShownForecast }) {
  const ahead = parts.filter(({ title }) => title !== OF_THE_PILOT);
  const measured = parts.filter(({ title }) => title === OF_THE_PILOT);
  return (
    <div className="forecast">
      <p className="small">{made}</p>
      {ahead.map((part) => (
        <Part key={part.title} part={part} />
      ))}
      <details>
        <summary>What it is made from</summary>
        {measured.map((part) => (
          <Part key={part.title} part={part} />
        ))}
        <ul className="small">
          {assumptions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function Part({ part: { title, rows } }: { part: ForecastPart }) {
  const hasOutcome = rows.some(({ outcome }) => outcome !== null);
  return (
    <div>
      <h4>{title}</h4>
      <Table
        name={`Forecast: ${title.toLowerCase()}`}
        heads
        header={["What", "Forecast (90% interval)", ...(hasOutcome ? ["So far", "Within"] : [])]}
        rows={rows.map((row) => [row.what, forecastText(row), ...(hasOutcome ? outcomeCells(row) : [])])}
      />
    </div>
  );
}

function forecastText({ value, interval }: ForecastRow): string {
  return interval === "" ? value : `${value} (${interval})`;
}

function outcomeCells({ outcome, is_within }: ForecastRow): readonly string[] {
  return [outcome ?? "–", is_within === null ? "–" : is_within ? "yes" : "no"];
}

/** How many figures that have an outcome lie within their intervals; null without any. */
export function withinWords({ parts }: ShownForecast): string | null {
  const known = parts.flatMap(({ rows }) => rows.filter(({ is_within }) => is_within !== null));
  const within = known.filter(({ is_within }) => is_within).length;
  return known.length === 0 ? null : `${within} of ${known.length} figures so far lie within their intervals; they grow until the end.`;
}
