/** What workers must know before they work, in chapters: a preview shows all of them, the tour one after the other. */

import type { ReactNode } from "react";

export interface Chapter {
  title: string;
  body: ReactNode;
}

export interface Guide {
  /** Under which the browser remembers that the tour was taken. */
  name: string;
  chapters: readonly Chapter[];
}
