/** What a worker sees before accepting a HIT: its pay, all of its rules, and a sample with every control switched off. */

import type { ReactNode } from "react";

import { say } from "../words/say";
import { Columns } from "./Columns";
import { GuideText } from "./guide/GuideText";
import type { Guide } from "./guide/guide";
import { durationText } from "./header/useSecondsLeft";
import { Stat, WorkHeader } from "./header/WorkHeader";
import { amount } from "./money";
import "./work.css";

/** Amounts are hundredths of the campaign's unit. */
interface Terms {
  task_title: string;
  task_description: string;
  reward_cents: number;
  time_limit_seconds: number;
}

interface Props {
  terms: Terms;
  /** What accepting the HIT brings. */
  promise: string;
  stats?: ReactNode;
  /** What stands above the guide. */
  introduction?: ReactNode;
  guide: Guide;
  /** The text of the sample with its title, and the work on it. */
  reading: ReactNode;
  workFirst?: boolean;
  children: ReactNode;
}

export function PreviewPage({ terms, promise, stats, introduction, guide, reading, workFirst, children }: Props) {
  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Stat label={say("work.pay")}>{amount(terms.reward_cents)}</Stat>
        {stats}
        <Stat label={say("work.time")}>{durationText(terms.time_limit_seconds)}</Stat>
      </WorkHeader>
      <main className="work">
        <p className="notice" data-testid="preview">
          {say("work.preview", { promise })}
        </p>
        {introduction}
        {terms.task_description && <p className="description">{terms.task_description}</p>}
        <GuideText guide={guide} />
        <h2 className="sample-title">{say("work.preview.sample")}</h2>
        <Columns reading={reading} workFirst={workFirst}>
          {children}
        </Columns>
      </main>
    </>
  );
}
