/** How far each round is, by the parts of its dataset. */

import { moment } from "../review/words";
import { Bar, whole } from "./ProgressCard";
import { shortRateText } from "./rates";
import type { Arm, Round, Split } from "./records";
import { Table } from "./Table";

interface Props {
  rounds: readonly Round[];
  /** Those of the last round. */
  arms: readonly Arm[];
  works: string;
}

export function Rounds({ rounds, arms, works }: Props) {
  return (
    <section className="card wide" aria-labelledby="rounds">
      <h3 id="rounds">Rounds</h3>
      {rounds.map((round) => (
        <OneRound key={round.number} round={round} works={works} />
      ))}
      {arms.length > 0 && (
        <Table
          name="The last round, by arm"
          heads
          header={["Arm", "Workers", "HITs that count", "Attempts", "Error rate, unverified"]}
          rows={arms.map(({ name, workers, hits, unverified }) => [
            name,
            ...[workers, hits, unverified.of].map(whole),
            shortRateText(unverified),
          ])}
        />
      )}
      <p className="muted small">
        HITs by part include those of discarded writers; attempts and {works} do not, nor does anything by arm, whose intervals are over writers. At work: taken, and within the time limit.
      </p>
    </section>
  );
}

function OneRound({ round, works }: { round: Round; works: string }) {
  const { number, splits, closed_at, stages, models, validation_at_work } = round;
  const all = sum(splits);
  const rows = splits.length > 1 ? [...splits, all] : splits;
  const state = closed_at === null ? `open since ${moment(round.opened_at)}` : `closed ${moment(closed_at)}`;
  return (
    <>
      <h4>
        Round {number}: {state}
      </h4>
      <p className="muted small">
        {stages.map(({ name, since }) => `${name} since ${moment(since)}`).join(", ") || "No stage has begun"}
        {models.length > 0 && `; against ${models.join(", ")}`}
        {validation_at_work > 0 && `; ${whole(validation_at_work)} validation HITs at work`}
      </p>
      <Bar name="HITs submitted" done={all.hits_submitted} of={all.hits} unit="HITs" />
      <Table
        name={`Round ${number}, by part`}
        heads
        header={["Part", "Contexts", "HITs offered", "At work", "Submitted", "Attempts", "Beat the AI", "Verified", "Decided", `${sentence(works)} without enough votes`]}
        rows={rows.map((split) => [
          split.part,
          ...[
            split.contexts,
            split.hits,
            split.hits_at_work,
            split.hits_submitted,
            split.attempts,
            split.fooled,
            split.verified,
            split.decided,
            split.waiting,
          ].map(whole),
        ])}
      />
    </>
  );
}

function sum(splits: readonly Split[]): Split {
  const all: Split = {
    ...{ part: "all", contexts: 0, hits: 0, hits_at_work: 0, hits_submitted: 0 },
    ...{ attempts: 0, fooled: 0, verified: 0, decided: 0, waiting: 0 },
  };
  for (const { part: _, ...numbers } of splits) {
    for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
      all[name] += numbers[name];
    }
  }
  return all;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
