import "virtual:palette.css";
import "./design/theme.css"; // first: the pages' own rules come after it

import { providerIsLoaded } from "./crowd/provider";
import { mount } from "./mount";
import { Notice } from "./session/Notice";
import { Session } from "./session/Session";

mount(
  providerIsLoaded() ? (
    <Session />
  ) : (
    <Notice title="This page is incomplete">The crowd’s own script did not load. Please reload the page.</Notice>
  ),
  "What you submitted and your draft are saved. Reloading brings them back.",
);
