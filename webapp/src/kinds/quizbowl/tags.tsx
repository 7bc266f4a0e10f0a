/** What tags of this kind's messages are, beside those that every message may use. */

import type { ReactNode } from "react";

/** For those who listen. */
export function hidden(text: ReactNode[]): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}

/** A name that may be of any language. */
export function strong(text: ReactNode[]): ReactNode {
  return <b dir="auto">{text}</b>;
}

export function ofAnyLanguage(text: ReactNode[]): ReactNode {
  return <span dir="auto">{text}</span>;
}
