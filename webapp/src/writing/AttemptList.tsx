/** Everything that was submitted in this HIT, the latest first, with ways to edit again, to take back and to report. */

import { Icon, type IconName } from "../design/icons/Icon";
import { flagWords } from "./flags";
import { type Attempt, isHeldBack, isUnseen } from "./hit";
import type { WritingKind } from "./kind";
import type { Flag } from "./records";
import { ofData } from "../words/data";
import { say } from "../words/say";
import "./attempts.css";

interface Props<Entry, Made extends Attempt> {
  attempts: readonly Made[];
  kind: WritingKind<Entry, Made>;
  /** Other people will check them, too. */
  isChecked: boolean;
  disabled: boolean;
  /** Null while nothing can be put into the editor. */
  onEdit: ((entry: Entry) => void) | null;
  onRetract: (attempt: Made) => void;
  onFlag: (attempt: Made) => void;
}

export function AttemptList<Entry, Made extends Attempt>(props: Props<Entry, Made>) {
  const { attempts, kind, isChecked, disabled, onEdit, onRetract, onFlag } = props;
  const { entryOf } = kind;
  if (attempts.length === 0) {
    return null;
  }
  return (
    <section className="attempts" aria-labelledby="attempts-title">
      <h2 id="attempts-title">{say("writing.list")}</h2>
      <ol reversed>
        {attempts.toReversed().map((attempt) => {
          const action = { type: "button", className: "quiet", "aria-describedby": nameOf(attempt), disabled } as const;
          return (
            <li key={attempt.attempt_id} className="attempt card" data-outcome={outcome(attempt, isChecked).name}>
              <Content attempt={attempt} kind={kind} isChecked={isChecked} />
              <div className="attempt-actions">
                {onEdit && entryOf && (
                  <button {...action} onClick={() => onEdit(entryOf(attempt.work))}>
                    <Icon name="edit" />
                    {say("writing.list.edit")}
                  </button>
                )}
                {!attempt.retracted && (
                  <button {...action} onClick={() => onRetract(attempt)}>
                    <Icon name="back" />
                    {say("writing.list.back")}
                  </button>
                )}
                {attempt.flag === null && (
                  <button {...action} onClick={() => onFlag(attempt)}>
                    <Icon name="flag" />
                    {say("writing.flag")}
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface ContentProps<Entry, Made extends Attempt> {
  attempt: Made;
  kind: WritingKind<Entry, Made>;
  isChecked: boolean;
}

function Content<Entry, Made extends Attempt>({ attempt, kind, isChecked }: ContentProps<Entry, Made>) {
  const { icon, word } = outcome(attempt, isChecked);
  return (
    <>
      <p className="attempt-outcome">
        {icon && <Icon name={icon} />}
        {word}
      </p>
      <p id={nameOf(attempt)} className="attempt-text" {...ofData()}>
        {kind.textOf(attempt.work)}
      </p>
      {!isUnseen(attempt) && <p className="attempt-summary">{kind.summary(attempt)}</p>}
      {attempt.explanation &&
        kind.explained.map(({ name, question }) => (
          <p key={name} className="attempt-summary">
            {question} <q dir="auto">{attempt.explanation?.[name]}</q>
          </p>
        ))}
      {attempt.flag && (
        <p className="attempt-flag">
          <Icon name="flag" />
          {reported(attempt.flag, kind.words.context)}
        </p>
      )}
    </>
  );
}

function reported({ reason, note }: Flag, context: string): string {
  const words = flagWords(context)[reason];
  return note ? say("writing.list.reported_note", { reason: words, note }) : say("writing.list.reported", { reason: words });
}

function nameOf({ attempt_id }: Attempt): string {
  return `attempt-${attempt_id}`;
}

function outcome(attempt: Attempt, isChecked: boolean): { name: string; icon: IconName | null; word: string } {
  if (attempt.retracted) {
    return { name: "retracted", icon: "back", word: say("writing.outcome.retracted") };
  }
  if (isUnseen(attempt)) {
    return { name: "kept", icon: null, word: say("writing.outcome.kept") };
  }
  if (attempt.fooled && isHeldBack(attempt)) {
    const waits = attempt.admitted === null;
    const word = say(waits ? "writing.outcome.before_reviewer" : "writing.outcome.not_admitted");
    return { name: "fooled", icon: "win", word };
  }
  return attempt.fooled
    ? { name: "fooled", icon: "win", word: say(isChecked ? "writing.outcome.to_be_checked" : "writing.outcome.win") }
    : { name: "not-fooled", icon: "loss", word: say("writing.outcome.right") };
}
