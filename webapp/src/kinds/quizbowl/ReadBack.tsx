/** The question as the AI read it: the words that speak for its guess, and where it would buzz, and stay with it. */

import { Fragment, type MouseEvent, type ReactNode, useId, useMemo } from "react";

import { Icon } from "../../design/icons/Icon";
import { type Shown, levelOf, tellingWords } from "./guesses";
import { hidden, ofAnyLanguage, strong } from "./tags";
import { type Place, words } from "./wording";
import { ofData } from "../../words/data";
import { Say } from "../../words/Say";
import { language, say } from "../../words/say";
import "./readBack.css";

interface Props {
  text: string;
  shown: Shown;
  /** A marked word was pressed; null where that leads nowhere. */
  onWord: ((place: Place) => void) | null;
}

export function ReadBack({ text, shown, onWord }: Props) {
  const id = useId();
  const { saliency, first_right, right_from, guesses } = shown;
  const places = useMemo(() => words(text), [text]);
  const telling = tellingWords(
    places.map(({ start, end }) => text.slice(start, end)),
    saliency,
  );
  const press = ({ target }: MouseEvent) => {
    const number = target instanceof Element ? target.closest("[data-word]")?.getAttribute("data-word") : null;
    const place = places[Number(number ?? -1)];
    if (place !== undefined) {
      onWord?.(place);
    }
  };
  return (
    <section className="read-back" aria-labelledby={id} data-testid="read-back">
      <h2 id={id}>{say("quizbowl.read")}</h2>
      <p className="read-back-text" {...ofData()} data-leads={onWord !== null} onClick={press}>
        {places.map(({ start, end }, index) => (
          <Fragment key={index}>
            <Word level={levelOf(saliency[index])} number={index}>
              {text.slice(start, end)}
            </Word>
            {index + 1 === first_right && <Buzz />}
            {index + 1 === right_from && right_from !== first_right && <Stay />}
            {text.slice(end, places[index + 1]?.start ?? text.length)}
          </Fragment>
        ))}
      </p>
      {telling.length > 0 && guesses[0] && (
        <p className="read-back-legend">
          <Say
            of="quizbowl.read.legend"
            args={{ name: guesses[0].name, words: telling.join(", ") }}
            tags={{ bold: strong, any: ofAnyLanguage }}
          />
          {onWord !== null && <span className="with-pointer"> {say("quizbowl.read.press")}</span>}
        </p>
      )}
    </section>
  );
}

function Word({ level, number, children }: { level: number; number: number; children: ReactNode }) {
  return level === 0 ? (
    children
  ) : (
    <mark data-level={level} data-word={number}>
      {children}
    </mark>
  );
}

function Buzz() {
  return (
    <span className="buzz" lang={language()} data-testid="buzz">
      <Icon name="bell" />
      <Say of="quizbowl.read.buzzes" tags={{ hidden }} />
    </span>
  );
}

function Stay() {
  return (
    <span className="buzz" lang={language()} data-testid="stay">
      <Icon name="good" />
      <Say of="quizbowl.read.stays" tags={{ hidden }} />
    </span>
  );
}
