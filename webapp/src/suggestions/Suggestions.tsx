/** Suggestions of a model, one at a time: the server decides which, and keeps each before it is shown. */

import { type ReactNode, useEffect, useId, useState } from "react";

import type { Problem } from "../crowd/packets";
import { Icon } from "../design/icons/Icon";
import type { Desk } from "../pages/page";
import type { Attempt } from "../writing/hit";
import type { WritingKind } from "../writing/kind";
import type { SuggestionState } from "../writing/records";
import { ofData } from "../words/data";
import { Say } from "../words/Say";
import { say } from "../words/say";
import "./suggestions.css";

interface Props<Entry, Made extends Attempt> {
  desk: Desk;
  kind: WritingKind<Entry, Made>;
  entry: Entry;
  /** Nothing can be put into the form now. */
  frozen: boolean;
  /** Puts a suggestion, or what stood there before, into the form. */
  onUse: (entry: Partial<Entry>) => void;
}

const NOTHING: SuggestionState = { suggestions: [], more: false };

export function Suggestions<Entry, Made extends Attempt>({ desk, kind, entry, frozen, onUse }: Props<Entry, Made>) {
  const id = useId();
  const [{ suggestions, more }, setState] = useState(NOTHING);
  const [place, setPlace] = useState(0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The suggestion that was put into the form last, and what the writer had there before any. */
  const [used, setUsed] = useState<{ ordinal: number; text: string } | null>(null);
  const [own, setOwn] = useState<Entry | null>(null);

  const textIn = (one: Entry) => kind.textOf(kind.workOf(one));
  const ask = async (ordinal: number) => {
    setBusy(true);
    const reply = await desk.call<SuggestionState>("suggestions", { ordinal });
    setBusy(false);
    setProblem(reply.ok ? null : reply.error);
    if (reply.ok) {
      setState(reply);
      setPlace(reply.suggestions.length - 1);
    }
  };
  useEffect(() => {
    let current = true;
    void desk.call<SuggestionState>("suggestions", { ordinal: 1 }).then((reply) => {
      if (current && reply.ok) {
        setState(reply);
        setPlace(reply.suggestions.length - 1);
      }
    });
    return () => {
      current = false;
    };
  }, [desk]);

  const shown = suggestions[place];
  if (shown === undefined) {
    return null;
  }
  const { text, answer, entry: change } = kind.suggested(shown.work as Partial<Made["work"]>);
  const use = async () => {
    setBusy(true);
    const reply = await desk.call<object>("take_suggestion", { ordinal: shown.ordinal });
    setBusy(false);
    setProblem(reply.ok ? null : reply.error);
    if (reply.ok) {
      if (textIn(entry) !== used?.text) {
        setOwn(entry);
      }
      setUsed({ ordinal: shown.ordinal, text });
      onUse(change);
    }
  };
  const putBack = (entry: Entry) => {
    setUsed(null);
    setOwn(null);
    onUse(entry);
  };
  const next = () => {
    if (place + 1 < suggestions.length || !more) {
      setPlace((place + 1) % suggestions.length);
    } else {
      void ask(suggestions.length + 1);
    }
  };
  return (
    <section className="suggestion card" aria-labelledby={id} data-testid="suggestion">
      <h2 id={id}>{say("writing.suggestion")}</h2>
      <p className="suggestion-note">{say("writing.suggestion.note")}</p>
      <div aria-live="polite">
        <blockquote className="suggestion-text" {...ofData()}>
          {text}
        </blockquote>
        {answer !== null && (
          <p>
            <Say of="writing.suggestion.answer" args={{ answer }} tags={{ q: quoted }} />
          </p>
        )}
      </div>
      <div className="actions">
        <button type="button" disabled={busy || frozen} onClick={() => void use()}>
          {say("writing.suggestion.use")}
        </button>
        {(more || suggestions.length > 1) && (
          <button type="button" className="quiet" disabled={busy} onClick={next}>
            {say("writing.suggestion.another")}
          </button>
        )}
        {own !== null && !frozen && textIn(own) !== "" && (
          <button type="button" className="quiet" onClick={() => putBack(own)}>
            <Icon name="back" />
            {say("writing.suggestion.back")}
          </button>
        )}
      </div>
      <p role="status" className="suggestion-state">
        {problem?.message ?? (used?.ordinal === shown.ordinal && say("writing.suggestion.used"))}
      </p>
    </section>
  );
}

function quoted(text: ReactNode[]): ReactNode {
  return <q {...ofData()}>{text}</q>;
}
