/** Training and qualification for reading comprehension. */

import { useMemo } from "react";

import { Course } from "../../screening/Course";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { questionScreening } from "./kind";
import { readQuizTerms } from "./steps";

function Work({ config, ...props }: WorkProps) {
  const kind = useMemo(() => questionScreening(readQuizTerms(config)), [config]);
  return <Course kind={kind} {...props} />;
}

export const page: Page = { Work, Preview, once: true };
