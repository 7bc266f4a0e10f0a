/** How validators agree, and the record of each of them. */

import { useMemo } from "react";

import type { Run } from "./App";
import { AsOf } from "./AsOf";
import { DataTable } from "./DataTable";
import { Pages } from "./Pages";
import { Plot } from "./Plot";
import { Fact, whole } from "./ProgressCard";
import { countedRateText, rateText } from "./rates";
import type { Agreement, NoAgreement, Validator } from "./records";
import { agreementAddress, type Listed } from "./route";
import { Table } from "./Table";
import { useRenewed } from "./useRenewed";
import { votesPlot } from "./votesPlot";

interface Props {
  campaign: string;
  listed: Listed;
  run: Run;
}

export function AgreementPage({ campaign, listed, run }: Props) {
  const agreement = useRenewed<Agreement | NoAgreement>(campaign, "agreement", { page: listed.page }, run);
  if (agreement === null) {
    return <p role="status">One moment …</p>;
  }
  return (
    <>
      <div>
        <h2>Agreement</h2>
        <AsOf {...agreement} />
      </div>
      {agreement.validators === null ? (
        <p className="card">Nobody checks what is written in this campaign.</p>
      ) : (
        <div className="figures">
          <Summary agreement={agreement} />
          <VotesPerWork agreement={agreement} />
          <Validators campaign={campaign} agreement={agreement} />
        </div>
      )}
    </>
  );
}

function Summary({ agreement }: { agreement: Agreement }) {
  const { words, coefficients, kept, kept_as, votes, votes_saved, waiting, gold, unreliable } = agreement;
  return (
    <section className="card" aria-labelledby="votes">
      <h3 id="votes">Votes</h3>
      <dl className="facts">
        {coefficients.map(({ name, value, low, high, unit }) => (
          <Fact key={name} name={name}>
            {value === null ? "–" : `${value.toFixed(2)}${unit}`}
            {low !== null && high !== null && ` (95% interval ${low.toFixed(2)} to ${high.toFixed(2)})`}
          </Fact>
        ))}
        <Fact name="Decided">
          {whole(kept.of)} {words.works}, {whole(kept.found)} {kept_as}: {rateText(kept)}
        </Fact>
        <Fact name="Without enough votes">
          {whole(waiting)} {words.works}
        </Fact>
        <Fact name="Votes">
          {whole(votes)}
          {votes_saved > 0 && `, ${whole(votes_saved)} saved by stopping early`}
        </Fact>
        <Fact name="Gold">{rateText(gold)}</Fact>
        <Fact name="Validators">
          {whole(agreement.all)}, {whole(unreliable)} unreliable
        </Fact>
      </dl>
    </section>
  );
}

function VotesPerWork({ agreement: { by_votes, words } }: { agreement: Agreement }) {
  const key = JSON.stringify(by_votes);
  const plot = useMemo(() => votesPlot(JSON.parse(key) as typeof by_votes), [key]);
  return (
    <section className="card" aria-labelledby="per-work">
      <h3 id="per-work">Votes per {words.work}</h3>
      {by_votes.length === 0 ? (
        <p>Nobody has been asked yet.</p>
      ) : (
        <>
          <Plot label={`The ${words.works} by their votes; the table below has the figures.`} plot={plot} />
          <DataTable
            name={`Votes per ${words.work}`}
            header={["Votes", sentence(words.works)]}
            rows={by_votes.map(({ votes, works }) => [whole(votes), whole(works)])}
          />
        </>
      )}
    </section>
  );
}

function Validators({ campaign, agreement }: { campaign: string; agreement: Agreement }) {
  const { validators } = agreement;
  return (
    <section className="card wide" aria-labelledby="validators">
      <h3 id="validators">Validators</h3>
      {validators.length > 0 && (
        <Table
          name="Table of validators"
          heads
          header={["Validator", "HITs", "Votes", "With the majority", "Gold right", "Their votes"]}
          rows={validators.map(cells)}
        />
      )}
      <Pages
        {...agreement}
        noun={agreement.all === 1 ? "validator" : "validators"}
        address={(page) => agreementAddress(campaign, { sort: "", page: String(page) })}
      />
      <p className="muted small">
        With the majority: votes on decided {agreement.words.works} that say what became of them. Unreliable validators do
        badly on gold, and their votes do not count.
      </p>
    </section>
  );
}

function cells({ name, worker, hits, votes, with_outcome, gold, counts }: Validator): readonly string[] {
  return [
    worker ?? name,
    whole(hits),
    whole(votes),
    countedRateText(with_outcome),
    countedRateText(gold),
    counts ? "count" : "do not count: unreliable",
  ];
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
