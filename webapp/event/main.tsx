import "virtual:palette.css";
import "../src/theme.css"; // first: the page's own rules come after it
import "./page.css";

import { createRoot } from "react-dom/client";

import { Boundary } from "../src/faults/Boundary";
import { FaultNote } from "../src/faults/FaultNote";
import { FAULTS, reportToServer } from "../src/faults/faults";
import { CleanFields } from "../src/text/CleanFields";
import { App } from "./App";

FAULTS.watch(window);
reportToServer("/faults");
const root = document.getElementById("app");
if (root !== null) {
  createRoot(root).render(
    <Boundary kept="What you have sent is kept. Please reload the page to go on.">
      <FaultNote />
      <CleanFields />
      <App />
    </Boundary>,
  );
}
