/** A message with tags or with parts of the page in it: `<Say of="nli.goal" args={{ label: <LabelName … /> }} />`. */

import { Children, type ReactNode } from "react";

import type { Messages } from "./messages";
import { type Key, formatOf } from "./say";

type Shown = string | number | Date | ReactNode;
type Tag = (children: ReactNode[]) => ReactNode;

/** What every message may use. */
const TAGS: Readonly<Record<string, Tag>> = {
  b: (children) => <strong>{children}</strong>,
  i: (children) => <em>{children}</em>,
  kbd: (children) => <kbd>{children}</kbd>,
  p: (children) => <p>{children}</p>,
};

interface Props<K extends Key> {
  of: K;
  /** A text argument may be a part of the page. */
  args?: { [Name in keyof Messages[K]]: Messages[K][Name] extends string ? ReactNode : Messages[K][Name] };
  /** What else its tags are, such as a link. */
  tags?: Readonly<Record<string, Tag>>;
}

export function Say<K extends Key>({ of, args, tags }: Props<K>): ReactNode {
  const values = { ...TAGS, ...tags, ...args } as Record<string, Shown | ((children: ReactNode[]) => ReactNode)>;
  const format = formatOf(of);
  const parts = typeof format === "string" ? format : format.format<ReactNode>(values as never);
  return Array.isArray(parts) ? Children.toArray(parts) : (parts as ReactNode);
}
