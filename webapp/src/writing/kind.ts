/** What a kind of task brings to the page on which people write against a model. */

import type { ReactNode, RefObject } from "react";

import type { Problem } from "../crowd/packets";
import type { Shortcut } from "../design/shortcuts/ShortcutList";
import type { TypingWatch } from "../work/fields/TextField";
import type { Guide } from "../work/guide/guide";
import type { Attempt, Hit } from "./hit";

/** The editor as it stands. `done`: after a win, or after all of them, there is nothing left to type. */
export interface Editing<Entry, Made extends Attempt> {
  entry: Entry;
  problem: Problem | null;
  /** The attempt whose verdict is on show. */
  shown: Made | null;
  frozen: boolean;
  done: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  typing: TypingWatch;
  onEdit: (change: Partial<Entry>) => void;
  onSubmit: () => void;
  /** The button that submits, and what is said while the model thinks. */
  button: ReactNode;
}

/** A field of the explanation of a win. */
export interface ExplanationField {
  name: string;
  question: string;
  placeholder: string;
}

/** What is shown of a suggestion, and what it puts into the editor. */
export interface Suggested<Entry> {
  text: string;
  answer: string | null;
  entry: Partial<Entry>;
}

/** The end of the HIT in words. */
export interface Closing {
  title: string;
  button: string;
  standing: string;
  /** Why it cannot be handed in yet, and what to do; null when it can be. */
  lack: string | null;
  /** It is what the writer should do next. */
  isNext: boolean;
  /** What is asked before, and what it means; null where nothing is. */
  doubt: { title: string; text: string; yes: string } | null;
}

/** For one HIT. `Entry` is what stands in the editor; it is kept as a draft. */
export interface WritingKind<Entry, Made extends Attempt> {
  /** What people call a work and what it is about: "question", "passage". */
  words: { work: string; context: string };
  guide: (isChecked: boolean) => Guide;
  shortcuts: readonly Shortcut[];
  /** The fields in which wins are explained; none where nobody asks for it. */
  explained: readonly ExplanationField[];

  empty: Entry;
  isEntry: (value: unknown) => value is Entry;
  /** What is sent of it. */
  workOf: (entry: Entry) => Made["work"];
  /** Puts an earlier work back into the editor; null where nobody can do that. */
  entryOf: ((work: Made["work"]) => Entry) | null;
  /** A suggestion has the fields of a work; what is missing or null stays as it is. */
  suggested: (work: Partial<Made["work"]>) => Suggested<Entry>;
  /** What its writer typed. */
  textOf: (work: Made["work"]) => string;
  /** What is wrong with it before it is sent; the server checks all of it again. */
  findProblem: (entry: Entry) => Problem | null;

  /** What is written needs nothing to be read before. */
  workFirst?: boolean;
  goal: (isChecked: boolean) => ReactNode;
  stats: (hit: Hit<Made>) => ReactNode;
  reading: (editing: Editing<Entry, Made>) => ReactNode;
  composer: (editing: Editing<Entry, Made>) => ReactNode;
  /** What the model said, in a verdict, and in a line of the list of attempts. */
  evidence: (attempt: Made) => ReactNode;
  summary: (attempt: Made) => ReactNode;
  /** A verdict in a sentence: what comes next. */
  comesNext: (attempt: Made, isChecked: boolean) => string;
  /** `begun`: something was done in this HIT before any attempt. */
  closing: (hit: Hit<Made>, begun: boolean) => Closing;
}
