/** The question as the AI read it: the words that speak for its guess, and where it would buzz, and stay with it. */

import { Fragment, type MouseEvent, type ReactNode, useId, useMemo } from "react";

import { Icon } from "../../design/icons/Icon";
import { type Shown, levelOf, tellingWords } from "./guesses";
import { type Place, words } from "./wording";
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
      <h2 id={id}>As the AI reads it</h2>
      <p className="read-back-text" dir="auto" data-leads={onWord !== null} onClick={press}>
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
          The more a word is marked, the more it speaks for <b dir="auto">{guesses[0].name}</b>; most of all:{" "}
          <span dir="auto">{telling.join(", ")}</span>.
          {onWord !== null && <span className="with-pointer"> Press one to go to it in your text.</span>}
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
    <span className="buzz" data-testid="buzz">
      <Icon name="bell" />
      <span className="visually-hidden">The AI </span>buzzes
    </span>
  );
}

function Stay() {
  return (
    <span className="buzz" data-testid="stay">
      <Icon name="good" />
      <span className="visually-hidden">The AI </span>stays right
    </span>
  );
}
