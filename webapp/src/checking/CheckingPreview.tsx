/** What people see before they accept a HIT of checking: its rules, and a sample with every control switched off. */

import type { ReactNode } from "react";

import type { Guide } from "../work/guide/guide";
import { Stat } from "../work/header/WorkHeader";
import { PreviewPage } from "../work/PreviewPage";
import type { Terms } from "./hit";
import { capitalised } from "./words";

interface Props {
  terms: Terms;
  /** What people call them: "questions". */
  items: string;
  guide: Guide;
  reading: ReactNode;
  children: ReactNode;
}

export function CheckingPreview({ terms, items, guide, reading, children }: Props) {
  return (
    <PreviewPage
      terms={terms}
      promise={`Accept the HIT to get ${items} of your own.`}
      stats={<Stat label={capitalised(items)}>up to {terms.works_per_hit}</Stat>}
      guide={guide}
      reading={reading}
    >
      {children}
    </PreviewPage>
  );
}
