/** The validation page: asks the server where the validator stands, then shows the work. */

import { useEffect, useState } from "react";

import { Notice } from "../../session/Notice";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { ValidationPage } from "./ValidationPage";
import { type Hit, isTask, readTerms } from "./hit";
import "../reading_comprehension/page.css"; // the two columns and the answer fields
import "./page.css";

type Start = { state: "asking" } | { state: "ready"; hit: Hit } | { state: "failed"; message: string };

function Work({ config, task, ...others }: WorkProps) {
  const { desk } = others;
  const [start, setStart] = useState<Start>({ state: "asking" });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let current = true;
    void desk.call<{ hit: Hit }>("state", {}).then((reply) => {
      if (current) {
        setStart(reply.ok ? { state: "ready", hit: reply.hit } : { state: "failed", message: reply.error.message });
      }
    });
    return () => {
      current = false;
    };
  }, [desk, asked]);

  if (!isTask(task)) {
    return (
      <Notice title="This HIT has no questions">Please return it and try another one. Nothing of yours is lost.</Notice>
    );
  }
  if (start.state === "failed") {
    return (
      <Notice title="The HIT could not be opened" action={{ name: "Try again", run: () => setAsked(asked + 1) }}>
        {start.message}
      </Notice>
    );
  }
  if (start.state === "asking") {
    return <Notice title="Opening your HIT …" busy />;
  }
  return <ValidationPage terms={readTerms(config)} task={task} initial={start.hit} {...others} />;
}

export const validation: Page = { Work, Preview };
