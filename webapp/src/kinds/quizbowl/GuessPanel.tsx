/** What the AI guesses while somebody writes, whether that is about the text as it stands, and when it is asked. */

import { type ReactNode, useId } from "react";

import { same } from "../../writing/hints";
import type { Hints } from "../../writing/hints";
import { useHints, useSpoken } from "../../writing/useHints";
import { Guesses } from "./Guesses";
import { type Late, type Shown, spoken, standing } from "./guesses";
import type { Question } from "./terms";
import { say } from "../../words/say";
import "./guessPanel.css";

interface Props {
  hints: Hints<Question, Shown>;
  entry: Question;
  late: Late;
  /** Nothing can be asked any more. */
  closed: boolean;
  children?: ReactNode;
}

export function GuessPanel({ hints, entry, late, closed, children }: Props) {
  const { newest, waiting, problem, automatic } = useHints(hints);
  const stale = newest !== null && !same(newest.draft, entry);
  const aloud = useSpoken(newest && !stale ? spoken(newest.shown) : "");
  return (
    <GuessSection
      shown={newest?.shown ?? null}
      stale={stale}
      waiting={waiting}
      late={late}
      problem={problem?.message ?? null}
    >
      <p role="status" className="visually-hidden" data-testid="spoken">
        {aloud}
      </p>
      {!closed && (
        <div className="guess-settings">
          <label>
            <input type="checkbox" checked={automatic} onChange={(event) => hints.setAutomatic(event.target.checked)} />
            <span>{say("quizbowl.guesses.automatic")}</span>
          </label>
          <button type="button" disabled={entry.answer === "" || entry.text.trim() === ""} onClick={() => hints.request()}>
            {say("quizbowl.guesses.ask")}
          </button>
        </div>
      )}
      {children}
    </GuessSection>
  );
}

interface SectionProps {
  shown: Shown | null;
  /** It is about an earlier text. */
  stale: boolean;
  waiting: boolean;
  late: Late;
  problem: string | null;
  children?: ReactNode;
}

export function GuessSection({ shown, stale, waiting, late, problem, children }: SectionProps) {
  const id = useId();
  return (
    <section className="guess-panel" aria-labelledby={id} data-testid="guess-panel" data-stale={stale}>
      <h2 id={id}>{say("quizbowl.guesses")}</h2>
      <p className="guess-state" data-testid="guess-state">
        {waiting && <span className="spinner" aria-hidden="true" />}
        {stateWords(shown, stale, waiting)}
      </p>
      {shown !== null && (
        <>
          <Guesses guesses={shown.guesses} />
          <p className="guess-standing" data-testid="standing">
            {standing(shown, late)}
          </p>
        </>
      )}
      {problem !== null && <p className="guess-problem">{problem}</p>}
      {children}
    </section>
  );
}

function stateWords(shown: Shown | null, stale: boolean, waiting: boolean): string {
  if (waiting) {
    return say(stale ? "quizbowl.guesses.reading_earlier" : "quizbowl.guesses.reading");
  }
  if (shown === null) {
    return say("quizbowl.guesses.none");
  }
  return say(stale ? "quizbowl.guesses.earlier" : "quizbowl.guesses.current");
}
