import "virtual:palette.css";
import "./design/theme.css"; // first: the pages' own rules come after it

import { providerIsLoaded } from "./crowd/provider";
import { mount } from "./mount";
import { Notice } from "./session/Notice";
import { Session } from "./session/Session";
import { LanguageChoice } from "./words/LanguageChoice";
import { loadWords } from "./words/load";
import { say } from "./words/say";

/** English, and the only words of the page that do not come from the server: they say that the others do not come. */
const WAITING = "This page waits for its server. It goes on by itself: you can leave it open.";

void loadWords(() => document.getElementById("app")?.replaceChildren(WAITING)).then(() =>
  mount(
    <>
      <LanguageChoice />
      {providerIsLoaded() ? (
        <Session />
      ) : (
        <Notice title={say("session.incomplete.title")}>{say("session.incomplete")}</Notice>
      )}
    </>,
    say("session.kept"),
  ),
);
