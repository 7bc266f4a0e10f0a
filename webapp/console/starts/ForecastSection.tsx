/** The forecast of a draft, from its rehearsal or a pilot, and the reward that comes to a wished pay by the hour. */

import { useState } from "react";

import { messageOf, Refusal } from "../../review/api";
import { SelectField } from "../../review/SelectField";
import { Problem } from "../../src/design/problem/Problem";
import { ValueField } from "../acts/ValueField";
import type { Run } from "../App";
import { ForecastTables } from "../ForecastTables";
import { makeForecast } from "./calls";
import { faultAt } from "./fields";
import type { Editing } from "./useDraft";

interface Props {
  editing: Editing;
  token: string;
  run: Run;
}

export function ForecastSection({ editing: { draft, choices, edit, act }, token, run }: Props) {
  const [problem, setProblem] = useState({ field: "", message: "" });
  const [isBusy, setBusy] = useState(false);
  const isFixed = draft.campaign !== null;
  const make = async () => {
    if (isBusy) {
      return;
    }
    setBusy(true);
    setProblem({ field: "", message: "" });
    try {
      await act(({ id }) => makeForecast(id, token));
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        await run(() => Promise.reject(error));
      } else {
        setProblem({ field: (error instanceof Refusal && error.field) || "", message: messageOf(error) });
      }
    }
    setBusy(false);
  };
  const wrong = (field: string) => (problem.field === field ? problem.message : "");
  const isElsewhere = problem.field !== "minutes" && problem.field !== "hourly";
  const { forecast } = draft;
  return (
    <>
      <fieldset className="start" disabled={isFixed}>
        <legend className="visually-hidden">Forecast</legend>
        <SelectField
          label="Forecast from"
          value={choices.pilot}
          none="The rehearsal"
          options={draft.pilots.map(({ key, id, simulated }) => [key, simulated ? `${id}, a rehearsal` : id])}
          onChange={(pilot) => edit({ pilot })}
        />
        <ValueField
          label={`Pay by the hour (${draft.unit}, optional)`}
          hint="The forecast finds the reward with which half of the writers earn at least that."
          value={choices.hourly}
          wrong={wrong("hourly")}
          onChange={(hourly) => edit({ hourly })}
        />
        {choices.crowd !== "prolific" && (
          <ValueField
            label="Minutes of a HIT (optional)"
            hint="Empty: as long as in the pilot. Simulated people take no real time."
            value={choices.minutes}
            wrong={wrong("minutes") || faultAt(draft, "minutes")}
            onChange={(minutes) => edit({ minutes })}
          />
        )}
        <Problem message={isElsewhere ? problem.message : ""} />
        <div className="actions">
          <button type="button" disabled={draft.faults.length > 0} aria-disabled={isBusy || undefined} onClick={() => void make()}>
            Forecast
          </button>
        </div>
      </fieldset>
      <div role="status">{isBusy && <p>One moment …</p>}</div>
      {forecast !== null && (
        <>
          {!draft.is_forecast && <p>This forecast was made for other choices. Make it again.</p>}
          {forecast.target !== null && forecast.target_cents !== null && (
            <>
              <p>{forecast.target}</p>
              <div className="actions">
                <button
                  type="button"
                  disabled={isFixed}
                  onClick={() => {
                    edit({ reward: ((forecast.target_cents ?? 0) / 100).toFixed(2) });
                    void make();
                  }}
                >
                  Take this reward
                </button>
              </div>
            </>
          )}
          <ForecastTables forecast={forecast} />
        </>
      )}
    </>
  );
}
