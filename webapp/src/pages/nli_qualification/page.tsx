/** Training and qualification for adversarial natural language inference. */

import { useMemo } from "react";

import { Course } from "../../screening/Course";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { pairScreening } from "./kind";
import { readQuizTerms } from "./steps";

function Work({ config, ...props }: WorkProps) {
  const kind = useMemo(() => pairScreening(readQuizTerms(config)), [config]);
  return <Course kind={kind} {...props} />;
}

export const page: Page = { Work, Preview, once: true };
