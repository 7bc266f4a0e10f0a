/** The models of the pool: how often each was drawn, beaten, slow or away, and what it has cost. */

import { amount, moment, percent } from "../review/words";
import { whole } from "./ProgressCard";
import { shortRateText } from "./rates";
import type { Model } from "./records";
import { Table } from "./Table";

interface Props {
  models: readonly Model[];
  isServed: boolean;
}

export function Models({ models, isServed }: Props) {
  return (
    <section className="card wide" aria-labelledby="models">
      <h3 id="models">Models</h3>
      {models.length === 0 ? (
        <p>No model has been asked yet.</p>
      ) : (
        <Table
          name="Table of models"
          heads
          header={[
            ...["Model", "Server", "Attempts", "Share", "Error rate, unverified", "Error rate, verified"],
            ...["Answer time, median", "95th percentile", "Without an answer", "Cost, at most"],
          ]}
          rows={models.map((model) => [
            named(model),
            serverWords(model, isServed),
            whole(model.attempts),
            model.share === null ? "–" : percent(model.share),
            shortRateText(model.unverified),
            shortRateText(model.verified),
            model.answer_ms === null ? "–" : milliseconds(model.answer_ms.median),
            model.answer_ms === null ? "–" : milliseconds(model.answer_ms.p95),
            whole(model.failures),
            model.cents === 0 ? "–" : amount(model.cents),
          ])}
        />
      )}
      <p className="muted small">
        Rates are of attempts that count, with 95% intervals. Answer times are what writers waited. Without an answer: questions about
        attempts and drafts, which used up no try.
      </p>
    </section>
  );
}

function named({ member, name, hash }: Model): string {
  return member === name ? `${name} ${hash}` : `${member}: ${name} ${hash}`;
}

function serverWords({ away_since }: Model, isServed: boolean): string {
  if (away_since !== null) {
    return `does not answer since ${moment(away_since)}`;
  }
  return isServed ? "answers" : "is not asked now";
}

export function milliseconds(number: number): string {
  return number < 1000 ? `${Math.round(number)} ms` : `${(number / 1000).toFixed(1)} s`;
}
