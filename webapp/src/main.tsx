import "virtual:palette.css";
import "./theme.css"; // first: the pages' own rules come after it

import { createRoot } from "react-dom/client";

import { providerIsLoaded } from "./crowd/provider";
import { Boundary } from "./faults/Boundary";
import { FaultNote } from "./faults/FaultNote";
import { FAULTS } from "./faults/faults";
import { Notice } from "./session/Notice";
import { Session } from "./session/Session";
import { CleanFields } from "./text/CleanFields";

FAULTS.watch(window);
const root = document.getElementById("app");
if (root !== null) {
  createRoot(root).render(
    <Boundary kept="What you submitted and your draft are saved. Reloading brings them back.">
      <FaultNote />
      <CleanFields />
      {providerIsLoaded() ? (
        <Session />
      ) : (
        <Notice title="This page is incomplete">The crowd’s own script did not load. Please reload the page.</Notice>
      )}
    </Boundary>,
  );
}
