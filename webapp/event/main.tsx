import "virtual:palette.css";
import "../src/design/theme.css"; // first: the page's own rules come after it
import "./page.css";

import { reportToServer } from "../src/faults/faults";
import { mount } from "../src/mount";
import { loadWords } from "../src/words/load";
import { say } from "../src/words/say";
import { App } from "./App";

/** English, and the only words of the page that do not come from the server: they say that the others do not come. */
const WAITING = "This page waits for its server. It goes on by itself: you can leave it open.";

reportToServer("faults");
void loadWords(() => document.getElementById("app")?.replaceChildren(WAITING)).then(() =>
  mount(<App />, say("event.kept")),
);
