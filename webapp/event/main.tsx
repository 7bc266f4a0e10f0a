import "virtual:palette.css";
import "../src/theme.css"; // first: the page's own rules come after it
import "./page.css";

import { createRoot } from "react-dom/client";

import { CleanFields } from "../src/text/CleanFields";
import { App } from "./App";

const root = document.getElementById("app");
if (root !== null) {
  createRoot(root).render(
    <>
      <CleanFields />
      <App />
    </>,
  );
}
