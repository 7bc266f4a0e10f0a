/** What a kind of task brings to the page on which newcomers learn it and are qualified. */

import type { FormEvent, ReactNode, RefObject } from "react";

import type { Problem } from "../crowd/packets";
import type { Shortcut } from "../design/shortcuts/ShortcutList";
import type { Guide } from "../work/guide/guide";
import type { WritingKind } from "../writing/kind";
import type { StepNames } from "./Progress";
import type { QuizTerms, Types } from "./screening";

/** One step and what stands in its fields. */
export interface Responding<T extends Types> {
  step: T["Step"];
  entry: T["Entry"];
  problem: Problem | null;
  frozen: boolean;
  /** Of the form, for the names of its fields. */
  id: string;
  heading: RefObject<HTMLHeadingElement | null>;
  onEdit: (change: Partial<T["Entry"]>) => void;
  onSubmit: (event: FormEvent) => void;
  /** What is wrong before it is sent, and the button that sends it. */
  ending: ReactNode;
  /** What was wrong with what was sent. */
  mistakes: ReactNode;
}

/** What stands in the fields of a step, and in the editor, is kept as a draft. */
export interface ScreeningKind<T extends Types> {
  terms: QuizTerms;
  stepNames: StepNames;
  guide: Guide;
  /** Above the sample HIT. */
  sampleNotice: string;
  shortcuts: readonly Shortcut[];

  empty: T["Entry"];
  isEntry: (value: unknown) => value is T["Entry"];
  workOf: (step: T["Step"], entry: T["Entry"]) => object;
  /** What is wrong with it before it is sent; the server checks all of it again. */
  findProblem: (step: T["Step"], entry: T["Entry"]) => Problem | null;

  step: (responding: Responding<T>) => ReactNode;
  /** What is said of a step that was done. */
  praise: (response: T["Response"], step: T["Step"]) => ReactNode;
  sample: (sample: T["Sample"]) => WritingKind<T["SampleEntry"], T["Attempt"]>;
}
