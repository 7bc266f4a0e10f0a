/** What tags of this kind's messages are, beside those that every message may use. */

import type { ReactNode } from "react";
import { ofData } from "../../words/data";

/** For those who listen. */
export function hidden(text: ReactNode[]): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}

/** A name that may be of any language. */
export function strong(text: ReactNode[]): ReactNode {
  return <b {...ofData()}>{text}</b>;
}

export function ofAnyLanguage(text: ReactNode[]): ReactNode {
  return <span {...ofData()}>{text}</span>;
}
