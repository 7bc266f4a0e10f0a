import { describe, expect, test } from "vitest";

import type { Attempt, Hit } from "./hit";
import type { Standing } from "./records";
import { type Action, type Work, draftOf, emptyDraft, isDoubted, isFrozen, reduce, restored, shownAttempt } from "./work";

interface Entry {
  text: string;
  place: number | null;
}

const NOTHING: Entry = { text: "", place: null };
const WHEN: Entry = { text: "When?", place: 8 };
const STANDING: Standing = {
  wins: 0,
  tries_left: 25,
  complete: false,
  seconds_left: 3600,
  bonus_cents: 0,
  possible_bonus_cents: 0,
  is_checked: false,
  tries_missing: 0,
  explanations_missing: 0,
};
const EMPTY_HIT: Hit = { ...STANDING, attempts: [] };

function attempt(fooled: boolean, id = "a1"): Attempt {
  return {
    attempt_id: id,
    work: "When?",
    prediction: "1698",
    scores: {},
    fooled,
    retracted: false,
    flag: null,
    explanation: null,
    doubts: null,
    admitted: null,
    created_at: "2026-01-01T00:00:00+00:00",
  };
}

type Step = Action<Entry, Attempt>;
const run = (...actions: Step[]): Work<Entry, Attempt> =>
  actions.reduce(reduce<Entry, Attempt>, restored<Entry, Attempt>(EMPTY_HIT, null, NOTHING));
const edited = (change: Partial<Entry>) => ({ type: "edited", change }) as const;
const ANEW = { type: "began anew", entry: NOTHING } as const;
const WRITTEN: Step[] = [edited({ text: "When?" }), edited({ place: 8 })];
const SENT: Step[] = [...WRITTEN, { type: "sent", attemptKey: "k1", appealing: false }];
const judged = (fooled: boolean, attemptKey = "k1"): Step => {
  const made = attempt(fooled);
  return { type: "judged", attemptKey, attempt: made, standing: { ...STANDING, tries_left: 24 } };
};

describe("a writer's work", () => {
  test("is frozen while it is checked", () => {
    const work = run(...SENT, edited({ text: "Something else" }));
    expect(work.entry).toEqual(WHEN);
    expect(isFrozen(work)).toBe(true);
  });

  test("is frozen after a win, until a new question begins", () => {
    const won = run(...SENT, judged(true));
    expect(isFrozen(won)).toBe(true);
    expect(reduce(won, ANEW)).toMatchObject({ entry: NOTHING, shown: null, attemptKey: null });
  });

  test("can be changed after a loss, with the verdict still there and a new key to come", () => {
    const lost = run(...SENT, judged(false), edited({ text: "When exactly?" }));
    expect(lost).toMatchObject({ entry: { text: "When exactly?" }, attemptKey: null });
    expect(shownAttempt(lost)?.fooled).toBe(false);
  });

  test("keeps its key and its text when something fails", () => {
    const problem = { code: "busy", field: null, message: "Please wait." };
    const failed = run(...SENT, { type: "failed", attemptKey: "k1", problem });
    expect(failed).toMatchObject({ entry: WHEN, attemptKey: "k1", sent: false, problem });
  });

  test("takes a verdict once, however often it comes", () => {
    const anew = run(...SENT, judged(true), ANEW, judged(true));
    expect(anew).toMatchObject({ shown: null, entry: NOTHING });
    expect(anew.hit.attempts).toHaveLength(1);
  });

  test("a late failure of a repeated call does not undo the verdict", () => {
    const problem = { code: "busy", field: null, message: "Please wait." };
    expect(run(...SENT, judged(true), { type: "failed", attemptKey: "k1", problem }).problem).toBeNull();
  });

  test("comes back from a draft that was sent but not judged", () => {
    const draft = draftOf(run(...SENT), NOTHING);
    expect(restored(EMPTY_HIT, draft, NOTHING)).toMatchObject({ entry: WHEN, attemptKey: "k1", sent: true });
  });

  test.each([true, false])("is no draft any more once it has its verdict (fooled: %s)", (fooled) => {
    const commented: Step = { type: "commented", feedback: "Nice." };
    const draft = draftOf(run(...SENT, judged(fooled), commented), NOTHING);
    expect(draft).toEqual({ ...emptyDraft(NOTHING), feedback: "Nice." });
  });

  test("is a draft again when it is changed after a loss, and while that is checked or has failed", () => {
    const lost = [...SENT, judged(false), edited({ text: "When exactly?" })];
    const problem = { code: "busy", field: null, message: "Please wait." };
    const again = { type: "sent", attemptKey: "k2", appealing: false } as const;
    expect(draftOf(run(...lost), NOTHING).entry.text).toBe("When exactly?");
    expect(draftOf(run(...lost, again), NOTHING)).toMatchObject({ attemptKey: "k2", sent: true });
    const failed = run(...lost, again, { type: "failed", attemptKey: "k2", problem });
    expect(draftOf(failed, NOTHING)).toMatchObject({ entry: { text: "When exactly?" }, attemptKey: "k2", sent: false });
  });

  test("an earlier one comes back into the editor, to be changed and sent under a key of its own", () => {
    const again = run(...SENT, judged(false), { type: "began anew", entry: WHEN });
    expect(again).toMatchObject({ entry: WHEN, shown: null, attemptKey: null });
    expect(isFrozen(again)).toBe(false);
  });

  test("shows a verdict as the server has it now", () => {
    const won = run(...SENT, judged(true));
    const hit = { ...won.hit, attempts: [{ ...attempt(true), retracted: true }] };
    expect(shownAttempt(reduce(won, { type: "updated", hit }))?.retracted).toBe(true);
  });
});

describe("the explanation of a win", () => {
  const said = { reason: "It is so." };
  const explaining: Step = { type: "explaining", attempt: "a1", said };
  const unexplained: Hit = { ...STANDING, attempts: [attempt(false, "a0"), attempt(true)], explanations_missing: 1 };

  test("is kept as a draft until it is saved, also after the verdict", () => {
    const work = run(...SENT, judged(true), explaining);
    expect(draftOf(work, NOTHING).explanation).toEqual({ attempt: "a1", said });
    const saved = reduce(work, { type: "explained", hit: { ...unexplained, explanations_missing: 0 } });
    expect(draftOf(saved, NOTHING).explanation).toBeNull();
  });

  test("is asked for again after a reload, with what was written of it", () => {
    const draft = draftOf(run(...SENT, judged(true), explaining), NOTHING);
    const again = restored(unexplained, draft, NOTHING);
    expect(again).toMatchObject({ shown: "a1", explanation: { said } });
    expect(isFrozen(again)).toBe(true);
  });

  test("is not asked for where the server misses none", () => {
    expect(restored({ ...unexplained, explanations_missing: 0 }, null, NOTHING).shown).toBeNull();
  });

  test("does not go over to another attempt", () => {
    expect(run(...SENT, judged(true), explaining, ANEW).explanation).toBeNull();
  });

  test("that is doubted goes out again under its key, with the appeal that stands beside it", () => {
    const problem = { code: "doubtful", field: "text", message: "Much of it has been written before." };
    const doubted = run(...SENT, { type: "failed", attemptKey: "k1", problem });
    expect(isDoubted(doubted)).toBe(true);
    const appealing = reduce(doubted, { type: "appealing", text: "Not by me." });
    expect(isDoubted(appealing)).toBe(true);
    const sent = reduce(appealing, { type: "sent", attemptKey: "k1", appealing: true });
    expect(restored(EMPTY_HIT, draftOf(sent, NOTHING), NOTHING)).toMatchObject({
      attemptKey: "k1",
      sent: true,
      appeal: { text: "Not by me.", sent: true },
    });
    expect(reduce(sent, judged(true)).appeal).toBeNull();
  });

  test("that is changed after a doubt is no longer doubted, and keeps what was said", () => {
    const problem = { code: "doubtful", field: "text", message: "Much of it has been written before." };
    const failed: Step = { type: "failed", attemptKey: "k1", problem };
    const changed = run(...SENT, failed, { type: "appealing", text: "It is new." }, edited({ text: "Who?" }));
    expect(isDoubted(changed)).toBe(false);
    expect(changed.attemptKey).toBeNull();
    const sent = reduce(changed, { type: "sent", attemptKey: "k2", appealing: false });
    expect(sent.appeal).toEqual({ text: "It is new.", sent: false });
  });
});
