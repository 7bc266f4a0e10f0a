import "virtual:palette.css";
import "../src/design/theme.css"; // first: the page's own rules come after it
import "./page.css";

import { reportToServer } from "../src/faults/faults";
import { mount } from "../src/mount";
import { speakEnglish } from "../src/words/english";
import { App } from "./App";

speakEnglish();
reportToServer("faults");
mount(<App />, "What you have sent is kept. Please reload the page to go on.");
