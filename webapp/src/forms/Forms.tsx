/** The forms that a worker answers before the work begins: consent, a survey, a notice, one after the other. */

import { type ReactNode, useEffect, useState } from "react";

import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { Notice } from "../session/Notice";
import { FormPage } from "./FormPage";
import type { ShownForm } from "./records";

interface Props {
  desk: Desk;
  assignment: string;
  children: ReactNode;
}

interface Reply {
  forms: ShownForm[];
}

/** Shows the work once nothing is left to answer. */
export function Forms({ desk, assignment, children }: Props) {
  const [forms, setForms] = useState<ShownForm[] | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [declined, setDeclined] = useState(false);
  useEffect(() => {
    let current = true;
    void desk.call<Reply>("forms", {}).then((reply) => {
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
    return <Notice title="Thank you">{refusal.message}</Notice>;
  }
  if (forms === null) {
    return <Notice title="Opening your HIT …" busy />;
  }
  const [form] = forms;
  if (form === undefined) {
    return children;
  }
  if (declined) {
    return (
      <Notice title="Thank you for letting us know" action={{ name: "Read it again", run: () => setDeclined(false) }}>
        You do not take part, and nothing else is asked of you. Please return the HIT. If you change your mind, read the
        text again.
      </Notice>
    );
  }
  return (
    <FormPage
      key={form.id}
      form={form}
      number={forms.length}
      desk={desk}
      assignment={assignment}
      onForms={setForms}
      onDeclined={() => setDeclined(true)}
      onRefused={setRefusal}
    />
  );
}
