/** The forecast that was kept for a campaign, beside what came of it. */

import { ForecastTables, withinWords } from "./ForecastTables";
import type { ShownForecast } from "./records";

export function ForecastCard({ forecast }: { forecast: ShownForecast }) {
  const within = withinWords(forecast);
  return (
    <section className="card wide" aria-labelledby="forecast">
      <h3 id="forecast">Forecast{within !== null && " and outcome"}</h3>
      {within !== null && <p>{within}</p>}
      <ForecastTables forecast={forecast} />
    </section>
  );
}
