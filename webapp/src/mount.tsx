/** Draws a page into its document. An error of the page is shown there, and text fields keep no hidden characters. */

import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

import { Boundary } from "./faults/Boundary";
import { FaultNote } from "./faults/FaultNote";
import { FAULTS } from "./faults/faults";
import { CleanFields } from "./text/CleanFields";

/** `kept` tells the reader of a page that failed what a reload keeps. */
export function mount(page: ReactNode, kept: string): void {
  FAULTS.watch(window);
  const root = document.getElementById("app");
  if (root !== null) {
    createRoot(root).render(
      <Boundary kept={kept}>
        <FaultNote />
        <CleanFields />
        {page}
      </Boundary>,
    );
  }
}
