/** What the tags of an event's messages are. People and collections wrote what is quoted: it has its own direction. */

import type { ReactNode } from "react";

export const QUOTED = {
  q: (children: ReactNode[]) => <q dir="auto">{children}</q>,
};
