/** The pay by the hour as a distribution over HITs. */

import { useMemo } from "react";

import { amount, percent } from "../review/words";
import { barsPlot } from "./barsPlot";
import { DataTable } from "./DataTable";
import { Plot } from "./Plot";
import type { Bin, Pay } from "./records";

export function PayByTheHour({ pay }: { pay: Pay }) {
  const plot = useMemo(() => barsPlot(pay), [pay]);
  const names = pay.bins.map((bin, at) => binName(bin, pay.width_cents, at === pay.bins.length - 1));
  return (
    <section className="card wide" aria-labelledby="pay">
      <h3 id="pay">Pay by the hour</h3>
      <p>
        Median {amount(pay.median_cents)}, quartiles {amount(pay.lower_cents)} to {amount(pay.upper_cents)}, over{" "}
        {pay.assignments.toLocaleString("en")} HITs.
      </p>
      <Plot label="HITs by pay per hour; the table below has the figures." plot={plot} />
      <p className="muted small">Without fees, from acceptance to submission, pauses included: it is a lower bound.</p>
      <DataTable
        name="Pay by the hour"
        header={["Per hour", "HITs", "Share"]}
        rows={pay.bins.map(({ assignments }, at) => [
          names[at] ?? "",
          assignments.toLocaleString("en"),
          percent(assignments / pay.assignments),
        ])}
      />
    </section>
  );
}

function binName({ from_cents }: Bin, width: number, isLast: boolean): string {
  return isLast ? `${amount(from_cents)} or more` : `${amount(from_cents)} to ${amount(from_cents + width - 1)}`;
}
