/** The figures of a campaign, renewed as it changes. */

import { countIn, moment } from "../review/words";
import type { Run } from "./App";
import { AsOf } from "./AsOf";
import { ErrorRates } from "./ErrorRates";
import { ForecastCard } from "./ForecastCard";
import { Models } from "./Models";
import { MoneyCard } from "./MoneyCard";
import { Needs } from "./Needs";
import { PayByTheHour } from "./PayByTheHour";
import { ProgressCard } from "./ProgressCard";
import type { Figures } from "./records";
import { Rounds } from "./Rounds";
import { useRenewed } from "./useRenewed";
import "./campaignFigures.css";

const NOTHING = {};

interface Props {
  campaign: string;
  run: Run;
}

export function CampaignFigures({ campaign, run }: Props) {
  const figures = useRenewed<Figures>(campaign, "figures", NOTHING, run);
  if (figures === null) {
    return <p role="status">One moment …</p>;
  }
  const { progress } = figures;
  countIn(figures.unit);
  return (
    <>
      <div className="lead">
        <div>
          <h2>{servedWords(progress.served, progress.round, progress.closed_at)}</h2>
          {progress.paused_at !== null && (
            <p className="small">
              Paused since <time dateTime={progress.paused_at}>{moment(progress.paused_at)}</time>: no worker gets a HIT.
            </p>
          )}
          <AsOf {...figures} />
        </div>
        {progress.simulated && <p>A rehearsal with simulated people.</p>}
      </div>
      <div className="figures">
        {figures.needs !== null && <Needs campaign={campaign} needs={figures.needs} />}
        <ProgressCard figures={figures} />
        <MoneyCard campaign={campaign} money={figures.money} held={figures.needs?.held ?? []} run={run} />
        <Rounds rounds={figures.rounds} arms={figures.progress.arms} works={figures.words.works} />
        <Models models={figures.models} isServed={progress.served === null || progress.served.length > 0} />
        <ErrorRates course={figures.course} effort={figures.effort} work={figures.words.work} />
        {figures.pay !== null && <PayByTheHour pay={figures.pay} />}
        {figures.forecast !== null && <ForecastCard forecast={figures.forecast} />}
      </div>
    </>
  );
}

function servedWords(served: readonly string[] | null, round: number, closedAt: string | null): string {
  const which = round === 1 ? "" : ` in round ${round}`;
  if (served !== null && served.length > 0) {
    return `${sentence(served.join(" and "))} ${served.length === 1 ? "is" : "are"} being served${which}`;
  }
  if (closedAt !== null) {
    return round === 1 ? "The campaign is closed" : `Round ${round} is closed`;
  }
  return served === null ? `Round ${round}` : `Nobody serves it${which}`;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
