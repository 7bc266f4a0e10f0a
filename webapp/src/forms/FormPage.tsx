/** One form: its text, its questions, and the buttons that send it. */

import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";

import type { Problem } from "../crowd/packets";
import type { Desk } from "../pages/page";
import { StoredDrafts } from "../storage/drafts";
import { ProblemNote } from "../work/fields/ProblemNote";
import { Prose } from "../words/Prose";
import { say } from "../words/say";
import { QuestionField } from "./QuestionField";
import { type Answers, isAnswers, sentAnswers, shownQuestions } from "./answers";
import type { PendingForms, ShownForm } from "./records";
import "./forms.css";

interface Props {
  form: ShownForm;
  desk: Desk;
  assignment: string;
  /** The procedure that takes the answers. */
  target: "answer_form" | "answer_after";
  /** What stands above the form's title. */
  children?: ReactNode;
  onAnswered: (pending: PendingForms, declined: boolean) => void;
  onRefused: (problem: Problem) => void;
  /** The worker may leave the form as it is. */
  onLater?: () => void;
}

export function FormPage({ form, desk, assignment, target, children, onAnswered, onRefused, onLater }: Props) {
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
    const reply = await desk.call<PendingForms>(target, call);
    setSending(false);
    if (!reply.ok) {
      (reply.error.code === "refused" ? onRefused : setProblem)(reply.error);
      return;
    }
    if (!declined) {
      drafts.remove();
    }
    onAnswered(reply, declined);
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
        {children}
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {form.title}
        </h1>
        {form.text.length > 0 && (
          <div className="prose" dir="auto">
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
            {form.kind === "consent" ? <span dir="auto">{form.agree}</span> : say("forms.continue")}
          </button>
          {form.kind === "consent" && (
            <button type="button" disabled={sending} onClick={() => void send(true)}>
              <span dir="auto">{form.decline}</span>
            </button>
          )}
          {onLater !== undefined && (
            <button type="button" onClick={onLater}>
              {say("forms.not_now")}
            </button>
          )}
        </div>
      </form>
    </main>
  );
}
