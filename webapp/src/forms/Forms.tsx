/** The forms that a worker answers before the work begins: consent, a survey, a notice, one after the other. */

import { type ReactNode, useEffect, useState } from "react";

import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { Notice } from "../session/Notice";
import { FormPage } from "./FormPage";
import { Prose } from "../words/Prose";
import { say } from "../words/say";
import type { PendingForms, ShownForm } from "./records";

interface Props {
  desk: Desk;
  assignment: string;
  children: ReactNode;
}

/** Shows the work once nothing is left to answer. */
export function Forms({ desk, assignment, children }: Props) {
  const [forms, setForms] = useState<ShownForm[] | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  /** What is read by somebody who has declined. */
  const [debriefing, setDebriefing] = useState<ShownForm[] | null>(null);
  useEffect(() => {
    let current = true;
    void desk.call<PendingForms>("forms", {}).then((reply) => {
      if (!current) {
        return;
      }
      if (reply.ok) {
        setForms(reply.forms);
      } else {
        setRefusal(reply.error);
      }
    });
    return () => {
      current = false;
    };
  }, [desk]);

  if (refusal !== null) {
    return <Notice title={say("forms.refused")}>{refusal.message}</Notice>;
  }
  if (forms === null) {
    return <Notice title={say("forms.opening")} busy />;
  }
  const [form] = forms;
  if (form === undefined) {
    return children;
  }
  if (debriefing !== null) {
    return (
      <Notice
        title={say("forms.declined")}
        action={{ name: say("forms.declined.again"), run: () => setDebriefing(null) }}
        more={debriefing.map((one) => (
          <section key={one.id} className="prose" dir="auto">
            <h2>{one.title}</h2>
            <Prose nodes={one.text} />
          </section>
        ))}
      >
        {say("forms.declined.text")}
      </Notice>
    );
  }
  return (
    <FormPage
      key={form.id}
      form={form}
      desk={desk}
      assignment={assignment}
      target="answer_form"
      onAnswered={(pending, declined) => (declined ? setDebriefing(pending.debriefing) : setForms(pending.forms))}
      onRefused={setRefusal}
    >
      {forms.length > 1 && <p className="small muted">{say("forms.pages", { count: forms.length })}</p>}
    </FormPage>
  );
}
