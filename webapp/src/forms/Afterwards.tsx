/** The forms that a worker may answer once the HIT is submitted. Nothing waits for them. */

import { type ReactNode, useEffect, useState } from "react";

import type { Desk } from "../pages/page";
import { Notice } from "../session/Notice";
import { say } from "../words/say";
import { FormPage } from "./FormPage";
import type { PendingForms, ShownForm } from "./records";

const ANSWER_MS = 10_000;

interface Props {
  desk: Desk;
  assignment: string;
  children: ReactNode;
}

/** Shows the end of the HIT when the worker has answered, does not want to, or the service does not answer. */
export function Afterwards({ desk, assignment, children }: Props) {
  const [forms, setForms] = useState<ShownForm[] | null>(null);
  useEffect(() => {
    let current = true;
    const offer = (offered: ShownForm[]) => {
      if (current) {
        current = false;
        setForms(offered);
      }
    };
    void desk.call<PendingForms>("forms_after", {}).then((reply) => offer(reply.ok ? reply.forms : []));
    const timer = setTimeout(() => offer([]), ANSWER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [desk]);
  const leave = () => {
    void desk.call("forms_after", { later: true });
    setForms([]);
  };

  if (forms === null) {
    return <Notice title={say("forms.submitted")} busy />;
  }
  const [form] = forms;
  if (form === undefined) {
    return children;
  }
  return (
    <FormPage
      key={form.id}
      form={form}
      desk={desk}
      assignment={assignment}
      target="answer_after"
      onAnswered={(pending) => setForms(pending.forms)}
      onRefused={() => setForms([])}
      onLater={leave}
    >
      <p role="status">{say("forms.voluntary")}</p>
    </FormPage>
  );
}
