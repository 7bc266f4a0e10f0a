/** How a question comes to be: counted here, sent with each attempt, and disclosed in the rules. Times are in ms. */

/** The counts since the question was begun; `first_key_seconds` is null while nothing was typed. */
export interface Telemetry {
  pastes: number;
  pasted_chars: number;
  keystrokes: number;
  focused_seconds: number;
  first_key_seconds: number | null;
}

const NOTHING = { pastes: 0, pasted_chars: 0, keystrokes: 0 };

export class Typing {
  private counts = { ...NOTHING };
  private begun: number;
  private firstKey: number | null = null;
  private focusedBefore = 0;
  private focusedSince: number | null;

  /** `whole` is false for a question that was begun on an earlier page: half a count would speak against its writer. */
  constructor(
    private whole: boolean,
    focused: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.begun = now();
    this.focusedSince = focused ? this.begun : null;
  }

  /** Another question is begun. */
  begin(): void {
    this.whole = true;
    this.counts = { ...NOTHING };
    this.begun = this.now();
    this.firstKey = null;
    this.focusedBefore = 0;
    this.focusedSince = this.focusedSince === null ? null : this.begun;
  }

  /** A part of the text comes from elsewhere, with the writer's leave: counts of the rest would speak against them. */
  helped(): void {
    this.whole = false;
  }

  focus(focused: boolean): void {
    this.focusedBefore = this.focused();
    this.focusedSince = focused ? this.now() : null;
  }

  pasted(text: string): void {
    this.counts.pastes += 1;
    this.counts.pasted_chars += [...text].length;
  }

  /** One change of the text, by its `InputEvent.inputType`: screen keyboards press no keys that could be counted. */
  changed(inputType: string | undefined): void {
    if (inputType === "insertFromPaste" || inputType === "insertFromDrop") {
      return;
    }
    this.counts.keystrokes += 1;
    this.firstKey ??= this.now();
  }

  summary(): Telemetry | null {
    if (!this.whole) {
      return null;
    }
    const first_key_seconds = this.firstKey === null ? null : seconds(this.firstKey - this.begun);
    return { ...this.counts, focused_seconds: seconds(this.focused()), first_key_seconds };
  }

  private focused(): number {
    return this.focusedBefore + (this.focusedSince === null ? 0 : this.now() - this.focusedSince);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
