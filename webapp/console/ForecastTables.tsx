/** A forecast with 90% intervals, and how right it was once there is an outcome. */

import type { ForecastPart, ShownForecast } from "./records";
import { Table } from "./Table";

export function ForecastTables({ forecast: { made, parts, assumptions } }: { forecast: ShownForecast }) {
  return (
    <>
      <p className="small">{made}</p>
      {parts.map((part) => (
        <Part key={part.title} part={part} />
      ))}
      <details>
        <summary>What it assumes</summary>
        <ul className="small assumptions">
          {assumptions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </>
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
        header={["What", "Forecast", "90% interval", ...(hasOutcome ? ["So far", "Within"] : [])]}
        rows={rows.map(({ what, value, interval, outcome, is_within }) => [
          what,
          value,
          interval || "–",
          ...(hasOutcome ? [outcome ?? "–", is_within === null ? "–" : is_within ? "yes" : "no"] : []),
        ])}
      />
    </div>
  );
}

/** How many figures that have an outcome lie within their intervals; null without any. */
export function withinWords({ parts }: ShownForecast): string | null {
  const known = parts.flatMap(({ rows }) => rows.filter(({ is_within }) => is_within !== null));
  const within = known.filter(({ is_within }) => is_within).length;
  return known.length === 0 ? null : `${within} of ${known.length} figures so far lie within their intervals; they grow until the end.`;
}
