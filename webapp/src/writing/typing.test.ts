import { describe, expect, it } from "vitest";

import { Typing } from "./typing";

function at(focused = true, whole = true) {
  const clock = { ms: 1000 };
  const typing = new Typing(whole, focused, () => clock.ms);
  return { typing, pass: (ms: number) => (clock.ms += ms) };
}

describe("Typing", () => {
  it("counts changes, pastes and the time with focus", () => {
    const { typing, pass } = at();
    pass(2000);
    typing.changed("insertText");
    typing.changed("deleteContentBackward");
    typing.pasted("𝄞ab");
    typing.changed("insertFromPaste");
    typing.focus(false);
    pass(60_000);
    typing.focus(true);
    pass(500);
    expect(typing.summary()).toEqual({
      pastes: 1,
      pasted_chars: 3,
      keystrokes: 2,
      focused_seconds: 2.5,
      first_key_seconds: 2,
    });
  });

  it("begins anew with another question and goes on with the same", () => {
    const { typing, pass } = at();
    typing.changed("insertText");
    pass(1000);
    expect(typing.summary()?.keystrokes).toBe(1);
    typing.changed("insertText");
    expect(typing.summary()?.keystrokes).toBe(2);
    typing.begin();
    pass(300);
    expect(typing.summary()).toEqual({
      pastes: 0,
      pasted_chars: 0,
      keystrokes: 0,
      focused_seconds: 0.3,
      first_key_seconds: null,
    });
  });

  it("says nothing of a question that was begun before the page was loaded", () => {
    const { typing } = at(true, false);
    typing.changed("insertText");
    expect(typing.summary()).toBeNull();
    typing.begin();
    expect(typing.summary()).not.toBeNull();
  });

  it("says nothing of a text that a suggestion was taken into, until another is begun", () => {
    const { typing } = at();
    typing.helped();
    typing.changed("insertText");
    expect(typing.summary()).toBeNull();
    typing.begin();
    expect(typing.summary()?.keystrokes).toBe(0);
  });

  it("does not count time without focus, and repeated events change nothing", () => {
    const { typing, pass } = at(false);
    pass(5000);
    typing.focus(false);
    typing.focus(true);
    pass(1000);
    typing.focus(true);
    pass(1000);
    expect(typing.summary()?.focused_seconds).toBe(2);
  });
});
