/** What people see before they accept a HIT of checking: its rules, and a sample with every control switched off. */

import type { ReactNode } from "react";

import type { Guide } from "../work/guide/guide";
import { Stat } from "../work/header/WorkHeader";
import { PreviewPage } from "../work/PreviewPage";
import { say } from "../words/say";
import type { Terms } from "./hit";
import type { Work } from "./kind";

interface Props {
  terms: Terms;
  work: Work;
  guide: Guide;
  reading: ReactNode;
  children: ReactNode;
}

export function CheckingPreview({ terms, work, guide, reading, children }: Props) {
  return (
    <PreviewPage
      terms={terms}
      promise={say("checking.promise", { work })}
      stats={<Stat label={say("checking.items", { work })}>{say("checking.items.most", { count: terms.works_per_hit })}</Stat>}
      guide={guide}
      reading={reading}
    >
      {children}
    </PreviewPage>
  );
}
