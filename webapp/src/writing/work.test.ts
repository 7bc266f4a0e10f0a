import { describe, expect, test } from "vitest";

import { type Attempt, type Hit, type Standing, findProblem, readTerms } from "./hit";
import {
  type Action,
  EMPTY_DRAFT,
  type Work,
  draftOf,
  hasUnsentText,
  isFrozen,
  reduce,
  restored,
  shownAttempt,
} from "./work";

const ANSWER = { text: "1712", start: 8 };
const STANDING: Standing = { wins: 0, tries_left: 25, complete: false, seconds_left: 3600, bonus_cents: 0,
  possible_bonus_cents: 0, is_checked: false, tries_missing: 0 };
const EMPTY_HIT: Hit = { ...STANDING, attempts: [] };

function attempt(fooled: boolean, id = "a1"): Attempt {
  return {
    attempt_id: id,
    work: { question: "When?", answer: ANSWER },
    prediction: { text: "1698", start: 20, score: 0.9 },
    scores: { f1: fooled ? 0 : 1 },
    fooled,
    retracted: false,
    flag: null,
    created_at: "2026-01-01T00:00:00+00:00",
  };
}

const run = (...actions: Action[]): Work => actions.reduce(reduce, restored(EMPTY_HIT, null));
const WRITTEN: Action[] = [
  { type: "wrote", question: "When?" },
  { type: "marked", answer: ANSWER },
];
const SENT: Action[] = [...WRITTEN, { type: "sent", attemptKey: "k1" }];
const judged = (fooled: boolean, attemptKey = "k1"): Action => {
  const made = attempt(fooled);
  return { type: "judged", attemptKey, attempt: made, standing: { ...STANDING, tries_left: 24 } };
};

describe("a writer's work", () => {
  test("is frozen while it is checked", () => {
    const work = run(...SENT, { type: "wrote", question: "Something else" });
    expect(work.question).toBe("When?");
    expect(isFrozen(work)).toBe(true);
  });

  test("is frozen after a win, until a new question begins", () => {
    const won = run(...SENT, judged(true));
    expect(isFrozen(won)).toBe(true);
    expect(reduce(won, { type: "began anew" })).toMatchObject({
      question: "",
      answer: null,
      shown: null,
      attemptKey: null,
    });
  });

  test("can be changed after a loss, with the verdict still there and a new key to come", () => {
    const lost = run(...SENT, judged(false), { type: "wrote", question: "When exactly?" });
    expect(lost).toMatchObject({ question: "When exactly?", attemptKey: null });
    expect(shownAttempt(lost)?.fooled).toBe(false);
  });

  test("keeps its key and its text when something fails", () => {
    const problem = { code: "busy", field: null, message: "Please wait." };
    const failed = run(...SENT, { type: "failed", attemptKey: "k1", problem });
    expect(failed).toMatchObject({ question: "When?", answer: ANSWER, attemptKey: "k1", sent: false, problem });
  });

  test("takes a verdict once, however often it comes", () => {
    const anew = run(...SENT, judged(true), { type: "began anew" }, judged(true));
    expect(anew).toMatchObject({ shown: null, question: "" });
    expect(anew.hit.attempts).toHaveLength(1);
  });

  test("a late failure of a repeated call does not undo the verdict", () => {
    const problem = { code: "busy", field: null, message: "Please wait." };
    expect(run(...SENT, judged(true), { type: "failed", attemptKey: "k1", problem }).problem).toBeNull();
  });

  test("comes back from a draft that was sent but not judged", () => {
    const draft = draftOf(run(...SENT));
    expect(restored(EMPTY_HIT, draft)).toMatchObject({ question: "When?", attemptKey: "k1", sent: true });
  });

  test.each([true, false])("is no draft any more once it has its verdict (fooled: %s)", (fooled) => {
    const commented: Action = { type: "commented", feedback: "Nice." };
    const draft = draftOf(run(...SENT, judged(fooled), commented));
    expect(draft).toEqual({ ...EMPTY_DRAFT, feedback: "Nice." });
  });

  test("is a draft again when it is changed after a loss, and while that is checked or has failed", () => {
    const lost = [...SENT, judged(false), { type: "wrote", question: "When exactly?" } as const];
    const problem = { code: "busy", field: null, message: "Please wait." };
    const again = { type: "sent", attemptKey: "k2" } as const;
    expect(draftOf(run(...lost)).question).toBe("When exactly?");
    expect(draftOf(run(...lost, again))).toMatchObject({ question: "When exactly?", attemptKey: "k2", sent: true });
    const failed = run(...lost, again, { type: "failed", attemptKey: "k2", problem });
    expect(draftOf(failed)).toMatchObject({ question: "When exactly?", attemptKey: "k2", sent: false });
  });

  test("knows whether something was never sent", () => {
    expect(hasUnsentText(run())).toBe(false);
    expect(hasUnsentText(run(...WRITTEN))).toBe(true);
    expect(hasUnsentText(run(...SENT, judged(false)))).toBe(false);
  });

  test("shows a verdict as the server has it now", () => {
    const won = run(...SENT, judged(true));
    const hit = { ...won.hit, attempts: [{ ...attempt(true), retracted: true }] };
    expect(shownAttempt(reduce(won, { type: "updated", hit }))?.retracted).toBe(true);
  });
});

describe("what is checked before sending", () => {
  const terms = readTerms({ max_question_chars: 20, max_answer_words: 3 });

  test.each([
    ["", ANSWER, "question"],
    ["a", ANSWER, "question"],
    ["This question is far too long", ANSWER, "question"],
    ["When was it?", null, "answer"],
    ["When was it?", { text: "one two three four", start: 0 }, "answer"],
  ])("%j with %j is a problem of the %s", (question, answer, field) => {
    expect(findProblem(question, answer, terms)?.field).toBe(field);
  });

  test("emoji count as one character", () => {
    expect(findProblem("😀".repeat(20), ANSWER, terms)).toBeNull();
  });
});

test("terms that are not configured are the paper's", () => {
  expect(readTerms({ page: "reading_comprehension", wins_wanted: 1 })).toMatchObject({
    wins_wanted: 1,
    max_wins: 5,
    f1_threshold: 0.4,
    reward_cents: 200,
  });
});
