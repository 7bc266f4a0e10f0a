/** Answers as the worker gives them: texts until they are sent, so that half a number can be typed. */

import type { FormQuestion } from "./records";

export type Given = string | string[];
export type Answers = Readonly<Record<string, Given>>;

export function isAnswers(value: unknown): value is Answers {
  const isGiven = (one: unknown) => typeof one === "string" || (Array.isArray(one) && one.every((part) => typeof part === "string"));
  return typeof value === "object" && value !== null && Object.values(value).every(isGiven);
}

/** The questions that are shown to somebody who has given these answers. A question that is hidden has no answer. */
export function shownQuestions(questions: readonly FormQuestion[], answers: Answers): FormQuestion[] {
  const shown: FormQuestion[] = [];
  const counted: Record<string, Given> = {};
  for (const question of questions) {
    const conditions = Object.entries(question.shown_when);
    if (conditions.every(([name, wanted]) => has(counted[name], wanted))) {
      shown.push(question);
      counted[question.id] = answers[question.id] ?? "";
    }
  }
  return shown;
}

function has(answer: Given | undefined, wanted: readonly string[]): boolean {
  const given = Array.isArray(answer) ? answer : [answer ?? ""];
  return given.some((one) => one !== "" && wanted.includes(one));
}

/** The answers as the server takes them: numbers as numbers, nothing for what was left open. */
export function sentAnswers(questions: readonly FormQuestion[], answers: Answers): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const question of shownQuestions(questions, answers)) {
    const given = answers[question.id] ?? "";
    if (given.length > 0) {
      sent[question.id] = question.type === "number" || question.type === "scale" ? number(String(given)) : given;
    }
  }
  return sent;
}

/** What is no number is sent as it stands: the server says what is wrong with it. */
function number(text: string): number | string {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}
