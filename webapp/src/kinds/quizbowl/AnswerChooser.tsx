/** The answer is chosen from a closed list: a combobox that searches by any of an answer's names. */

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

import type { Desk } from "../../pages/page";
import { hidden } from "./tags";
import { pageTitle } from "./terms";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { say } from "../../words/say";
import "../../work/fields/fields.css";
import "./chooser.css";

const PAUSE_MS = 150;

interface Found {
  page: string;
  name: string;
  aliases: readonly string[];
}

interface Props {
  /** Of the form, whose `ProblemNote` describes the field. */
  id: string;
  /** Null in a preview, where nothing is looked up. */
  desk: Desk | null;
  /** Its page; empty as long as none is chosen. */
  answer: string;
  wrong: boolean;
  frozen: boolean;
  onChoose: (page: string) => void;
}

export function AnswerChooser({ id, desk, answer, wrong, frozen, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const change = () => {
    onChoose("");
    requestAnimationFrame(() => input.current?.focus()); // the field is there by then
  };
  return answer === "" ? (
    <Search id={id} desk={desk} wrong={wrong} frozen={frozen} input={input} onChoose={onChoose} />
  ) : (
    <div className="field">
      <p className="field-name">{say("quizbowl.answer")}</p>
      <div className="answer">
        <strong {...ofData()} data-testid="answer">
          {pageTitle(answer)}
        </strong>
        {!frozen && (
          <button type="button" className="quiet" onClick={change}>
            <Say of="quizbowl.answer.change" tags={{ hidden }} />
          </button>
        )}
      </div>
    </div>
  );
}

interface SearchProps extends Omit<Props, "answer"> {
  input: RefObject<HTMLInputElement | null>;
}

function Search({ id, desk, wrong, frozen, input, onChoose }: SearchProps) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const found = useFound(desk, typed, open);
  const shown = open && found !== null && found.length > 0;
  const chosen = shown ? found[active] : undefined;

  useEffect(() => setActive(typed.trim() === "" ? -1 : 0), [found, typed]);
  useEffect(() => {
    document.getElementById(`${id}-option-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);

  const press = (event: KeyboardEvent) => {
    const count = found?.length ?? 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setOpen(true);
      setActive(count === 0 ? -1 : (active + step + (active < 0 && step < 0 ? 1 : 0) + count) % count);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      if (chosen !== undefined) {
        onChoose(chosen.page);
      }
    } else if (event.key === "Escape" && open) {
      setOpen(false);
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <div className="field chooser">
      <label htmlFor={`${id}-answer`}>{say("quizbowl.answer")}</label>
      <input
        ref={input}
        id={`${id}-answer`}
        name="answer"
        type="text"
        role="combobox"
        {...ofData()}
        autoComplete="off"
        spellCheck={false}
        placeholder={say("quizbowl.answer.search")}
        maxLength={200}
        value={typed}
        readOnly={frozen}
        disabled={desk === null}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={`${id}-options`}
        aria-activedescendant={chosen && `${id}-option-${active}`}
        aria-invalid={wrong}
        aria-describedby={`${id}-found ${id}-problem`}
        onFocus={() => setOpen(!frozen)}
        onClick={() => setOpen(!frozen)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
        }}
      />
      <ul id={`${id}-options`} role="listbox" aria-label={say("quizbowl.answer.list")} className="options" hidden={!shown}>
        {shown &&
          found.map(({ page, name, aliases }, index) => (
            <li
              key={page}
              id={`${id}-option-${index}`}
              role="option"
              aria-selected={index === active}
              onPointerDown={(event) => event.preventDefault()} // the field keeps the focus
              onClick={() => onChoose(page)}
            >
              <span {...ofData()}>{name}</span>
              {aliases.length > 0 && (
                <span className="aliases" {...ofData()}>
                  {aliases.join(", ")}
                </span>
              )}
            </li>
          ))}
      </ul>
      <p id={`${id}-found`} role="status" className="found">
        {open && found !== null && say("quizbowl.answer.found", { count: found.length })}
      </p>
    </div>
  );
}

/** Null until the first answer comes. */
function useFound(desk: Desk | null, text: string, wanted: boolean): readonly Found[] | null {
  const [found, setFound] = useState<readonly Found[] | null>(null);
  useEffect(() => {
    if (desk === null || !wanted) {
      return;
    }
    let current = true;
    const search = async () => {
      const reply = await desk.call<{ answers: Found[] }>("look_up", { text }, { latest: true });
      if (current && reply.ok) {
        setFound(reply.answers);
      }
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [desk, text, wanted]);
  return found;
}
