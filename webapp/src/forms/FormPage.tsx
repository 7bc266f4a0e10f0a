/** One form: its text, its questions, and the buttons that send it. */

import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from "react";

import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { StoredDrafts } from "../storage/drafts";
import { ProblemNote } from "../work/fields/ProblemNote";
import { Prose } from "./Prose";
import { QuestionField } from "./QuestionField";
import { type Answers, isAnswers, sentAnswers, shownQuestions } from "./answers";
import type { ShownForm } from "./records";
import "./forms.css";

interface Props {
  form: ShownForm;
  /** So many forms are left, with this one. */
  number: number;
  desk: Desk;
  assignment: string;
  onForms: (forms: ShownForm[]) => void;
  onDeclined: () => void;
  onRefused: (problem: Problem) => void;
}

export function FormPage({ form, number, desk, assignment, onForms, onDeclined, onRefused }: Props) {
  const id = useId();
  const drafts = useMemo(() => new StoredDrafts<Answers>("beat-the-ai:form:", `${assignment}:${form.id}`, isAnswers), [assignment, form.id]);
  const [answers, setAnswers] = useState<Answers>(() => drafts.load() ?? {});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLFormElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const field = problem?.field;
    if (field) {
      body.current?.querySelector<HTMLElement>(`[data-question="${field}"] :is(input, textarea)`)?.focus();
    }
  }, [problem]);

  const send = async (declined: boolean) => {
    setSending(true);
    setProblem(null);
    const call = { form: form.id, declined, answers: declined ? {} : sentAnswers(form.questions, answers) };
    const reply = await desk.call<{ forms: ShownForm[] }>("answer_form", call);
    setSending(false);
    if (!reply.ok) {
      (reply.error.code === "refused" ? onRefused : setProblem)(reply.error);
      return;
    }
    if (declined) {
      onDeclined();
      return;
    }
    drafts.remove();
    onForms(reply.forms);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(false);
  };
  const change = (name: string, given: string | string[]) => {
    const next = { ...answers, [name]: given };
    setAnswers(next);
    drafts.save(next);
    setProblem(null);
  };

  return (
    <main className="form-page">
      <form ref={body} className="card" onSubmit={submit} noValidate aria-busy={sending}>
        {number > 1 && <p className="small muted">{number} pages before the work begins</p>}
        <h1 ref={heading} tabIndex={-1}>
          {form.title}
        </h1>
        {form.text.length > 0 && (
          <div className="prose">
            <Prose nodes={form.text} />
          </div>
        )}
        {shownQuestions(form.questions, answers).map((question) => (
          <QuestionField
            key={question.id}
            id={`${id}-${question.id}`}
            question={question}
            given={answers[question.id] ?? ""}
            problem={problem?.field === question.id}
            describedBy={`${id}-problem`}
            onChange={(given) => change(question.id, given)}
          />
        ))}
        <ProblemNote id={id} problem={problem} />
        <div className="submit">
          <button type="submit" className="primary" disabled={sending}>
            {form.kind === "consent" ? form.agree : "Continue"}
          </button>
          {form.kind === "consent" && (
            <button type="button" disabled={sending} onClick={() => void send(true)}>
              {form.decline}
            </button>
          )}
        </div>
      </form>
    </main>
  );
}
