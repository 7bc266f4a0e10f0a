/** The model's error rates over time, unverified and verified, with what a verified win takes. */

import { useMemo, useState } from "react";

import { moment } from "../review/words";
import { DataTable } from "./DataTable";
import { linesPlot } from "./linesPlot";
import { Plot } from "./Plot";
import { intervalText, rateText, tenths } from "./rates";
import type { Course, Effort, Rate, Step } from "./records";

type View = "until" | "within";

const VIEWS: readonly (readonly [View, string])[] = [
  ["until", "All until then"],
  ["within", "In each step"],
];

export function ErrorRates({ course, effort, work }: { course: Course; effort: Effort | null; work: string }) {
  const [view, setView] = useState<View>("until");
  const steps = useMemo(() => course.steps.map((step) => ({ at: step.at, ...ratesOf(step, view) })), [course, view]);
  const plot = useMemo(() => linesPlot(steps, course.seconds), [steps, course]);
  return (
    <section className="card wide" aria-labelledby="rates">
      <h3 id="rates">Model error rate</h3>
      <p className="legend">
        <span className="unverified">
          <strong>Unverified</strong> {rateText(course.unverified)} of {course.unverified.of.toLocaleString("en")}
        </span>
        <span className="verified">
          <strong>Verified</strong> {rateText(course.verified)} of {course.verified.of.toLocaleString("en")}
        </span>
      </p>
      {course.steps.length === 0 ? (
        <p>No HIT counts yet.</p>
      ) : (
        <>
          <fieldset className="views">
            <legend className="visually-hidden">The HITs of a point</legend>
            {VIEWS.map(([name, word]) => (
              <label key={name}>
                <input type="radio" name="view" checked={view === name} onChange={() => setView(name)} />
                {word}
              </label>
            ))}
          </fieldset>
          <Plot
            label="Model error rate over time with 95% intervals; the table below has the figures."
            plot={plot}
          />
          <p className="muted small">
            By when HITs were submitted, in steps of {stepWords(course.seconds)}, with 95% intervals over writers. Verified: in
            the parts that other people check, once all votes on a HIT are there.
          </p>
          <DataTable
            name="Model error rate"
            header={["From", "Unverified", "95% interval", "Attempts", "Verified", "95% interval", "Decided"]}
            rows={steps.map(({ at, unverified, verified }) => [moment(at), ...cells(unverified), ...cells(verified)])}
          />
        </>
      )}
      {effort !== null && <EffortLine effort={effort} work={work} />}
    </section>
  );
}

function EffortLine({ effort, work }: { effort: Effort; work: string }) {
  return (
    <p>
      A verified {work} that beat the AI took {effort.tries_mean.toFixed(1)} tries and {effort.minutes_mean.toFixed(1)}{" "}
      minutes on average (median {effort.tries_median.toFixed(1)} and {effort.minutes_median.toFixed(1)}), over{" "}
      {effort.wins.toLocaleString("en")}.
    </p>
  );
}

function ratesOf(step: Step, view: View): { unverified: Rate; verified: Rate } {
  return view === "until"
    ? { unverified: step.unverified_until_then, verified: step.verified_until_then }
    : { unverified: step.unverified, verified: step.verified };
}

function cells(rate: Rate): readonly string[] {
  const { share, found, of } = rate;
  return share === null
    ? ["–", "–", "0"]
    : [tenths(share), intervalText(rate) ?? "–", `${found.toLocaleString("en")} of ${of.toLocaleString("en")}`];
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

export function stepWords(seconds: number): string {
  const [size, word] = UNITS.find(([size]) => seconds >= size) ?? UNITS[2]!;
  const number = Math.round(seconds / size);
  return number === 1 ? `one ${word}` : `${number} ${word}s`;
}
