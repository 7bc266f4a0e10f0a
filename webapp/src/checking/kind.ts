/** What a kind of task brings to the page on which works of others are checked. */

import type { ReactNode, RefObject } from "react";

import type { Problem } from "../crowd/packets";
import type { Shortcut } from "../design/shortcuts/ShortcutList";
import type { Guide } from "../work/guide/guide";
import type { Context } from "../writing/records";
import type { Item } from "./hit";

/** What an item is: messages have sentences of their own for each. */
export type Work = "question" | "statement";

/** One item and what is said of it. `place` counts from 1. */
export interface Judging<Shown, Entry> {
  context: Context;
  item: Item<Shown>;
  place: number;
  of: number;
  entry: Entry;
  problem: Problem | null;
  frozen: boolean;
  /** Something is saved of it. */
  done: boolean;
  /** Takes the focus when the item comes up. */
  heading?: RefObject<HTMLHeadingElement | null>;
  onEdit: (change: Partial<Entry>) => void;
  onSave: () => void;
  /** The buttons that save and lead to other items. */
  buttons: ReactNode;
}

/** `Entry` is what stands in the fields of an item; it is kept as a draft. */
export interface CheckingKind<Shown, Vote, Entry> {
  work: Work;
  /** What is saved cannot be changed any more. */
  final?: boolean;
  guide: Guide;
  /** What is asked for, in a sentence above the work. */
  aim: string;
  shortcuts: (onEdit: (change: Partial<Entry>) => void) => readonly Shortcut[];

  empty: Entry;
  isEntry: (value: unknown) => value is Entry;
  voteOf: (entry: Entry) => Vote;
  entryOf: (vote: Vote) => Entry;
  /** Whether there is anything to save of an item by now; always, unless it is said. */
  isReady?: (item: string, entry: Entry) => boolean;
  /** What is wrong with it before it is sent; the server checks all of it again. */
  findProblem: (entry: Entry) => Problem | null;

  reading: (judging: Judging<Shown, Entry>) => ReactNode;
  card: (judging: Judging<Shown, Entry>) => ReactNode;
}
