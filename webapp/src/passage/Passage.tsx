/**
 * A passage in which an answer is marked: by dragging, by tapping the first and the last word, or with the keyboard
 * (arrows move from word to word, Space starts and ends, Escape clears).
 */

import { type KeyboardEvent, type MouseEvent, memo, useEffect, useMemo, useRef, useState } from "react";

import { isFromRight } from "./direction";
import { beside, inNextLine } from "./lines";
import { reveal } from "./reveal";
import { type Token, type TokenRange, nextWord, rangeBetween, snap } from "./tokens";
import { useSelectionMarking } from "./useSelectionMarking";
import { ofData } from "../words/data";
import { say } from "../words/say";
import "./passage.css";

/** What ends an answer that was begun. */
type How = "passage.tap_last" | "passage.move_to_last";

interface Props {
  text: string;
  tokens: readonly Token[];
  /** The worker's answer, and the model's. */
  marked: TokenRange | null;
  model?: TokenRange | null;
  frozen: boolean;
  onMark: (range: TokenRange | null) => void;
}

export function Passage({ text, tokens, marked, model = null, frozen, onMark }: Props) {
  const region = useRef<HTMLDivElement>(null);
  const cursor = useRef(-1);
  const touched = useRef(false);
  // The first word of an answer that is being marked by taps or by keys, and where its other end is now.
  const [open, setOpen] = useState<{ anchor: number; end: number } | null>(null);
  const [announcement, setAnnouncement] = useState("");

  const first = marked?.first ?? null;
  useEffect(() => {
    const word = region.current?.querySelector(`[data-index="${first}"]`);
    if (word) {
      reveal(word, region.current!); // it may have been typed, or it was marked before the page was opened
    }
  }, [first]);

  const textOf = (range: TokenRange) => text.slice(tokens[range.first]!.from, tokens[range.last]!.to);
  const finish = (range: TokenRange) => {
    setOpen(null);
    setAnnouncement(say("passage.marked", { answer: textOf(range) }));
    onMark(range);
  };
  const start = (index: number, how: How) => {
    setOpen({ anchor: index, end: index });
    setAnnouncement(say(how, { word: tokens[index]!.text }));
  };
  const startOrEnd = (index: number, how: How) =>
    open === null ? start(index, how) : finish(rangeBetween(open.anchor, index));

  useSelectionMarking(region, ({ from, to }) => {
    const range = frozen ? null : snap(tokens, from, to);
    if (range !== null) {
      finish(range);
    }
    return range !== null;
  });

  const click = (event: MouseEvent) => {
    const index = tokenIndex(event.target);
    cursor.current = index ?? cursor.current;
    if (touched.current && !frozen && index !== null && document.getSelection()?.isCollapsed !== false) {
      startOrEnd(index, "passage.tap_last");
    }
  };

  const moveTo = (index: number) => {
    cursor.current = index;
    const word = region.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (word) {
      word.tabIndex = -1;
      word.focus();
    }
    setOpen((current) => current && { ...current, end: index });
  };

  const press = (event: KeyboardEvent) => {
    if (frozen || event.ctrlKey || event.metaKey || event.altKey || region.current === null) {
      return;
    }
    const here = cursor.current;
    const target = destination(event.key, here, tokens, region.current);
    if (target !== null) {
      moveTo(target);
    } else if (event.key === " " && here >= 0) {
      startOrEnd(here, "passage.move_to_last");
    } else if (event.key === "Escape" && (open !== null || marked !== null)) {
      setOpen(null);
      setAnnouncement(say("passage.cleared"));
      onMark(null);
    } else {
      return;
    }
    event.preventDefault();
  };

  const openRange = open && rangeBetween(open.anchor, open.end);
  return (
    <>
      {/* The text itself stays plain, so that screen readers can read it line by line. */}
      <div
        ref={region}
        className="passage"
        {...ofData()}
        role="region"
        aria-label={say("passage.label")}
        tabIndex={0}
        data-frozen={frozen}
        data-marking={open !== null}
        onClick={click}
        onPointerDown={(event) => (touched.current = event.pointerType === "touch")}
        onKeyDown={press}
      >
        <Words text={text} tokens={tokens} marked={openRange ?? marked} model={model} open={openRange !== null} />
      </div>
      <p className={open === null ? "visually-hidden" : "tap-hint"} role="status">
        {announcement}
      </p>
    </>
  );
}

interface WordsProps {
  text: string;
  tokens: readonly Token[];
  marked: TokenRange | null;
  model: TokenRange | null;
  open: boolean;
}

function Words({ text, tokens, marked, model, open }: WordsProps) {
  const gaps = useMemo(() => tokens.map(({ to }, index) => text.slice(to, tokens[index + 1]?.from)), [text, tokens]);
  return (
    <>
      {text.slice(0, tokens[0]?.from)}
      {tokens.map((token, index) => (
        <Word
          key={token.start}
          token={token}
          index={index}
          gap={gaps[index]!}
          look={look(index, marked, model, open)}
          gapLook={look(index, shortened(marked), shortened(model), open)}
        />
      ))}
    </>
  );
}

interface WordProps {
  token: Token;
  index: number;
  gap: string;
  look: string;
  gapLook: string;
}

const Word = memo(function Word({ token, index, gap, look: wordLook, gapLook }: WordProps) {
  return (
    <>
      <span data-token="" data-index={index} data-start={token.start} data-end={token.end} className={wordLook}>
        {token.text}
      </span>
      {gap && (gapLook === "" ? gap : <span className={gapLook}>{gap}</span>)}
    </>
  );
});

function look(index: number, marked: TokenRange | null, model: TokenRange | null, open: boolean): string {
  const names = [];
  if (isIn(marked, index)) {
    names.push(open ? "marking" : "marked");
  }
  if (isIn(model, index)) {
    names.push("model");
  }
  return names.join(" ");
}

function isIn(range: TokenRange | null, index: number): boolean {
  return range !== null && range.first <= index && index <= range.last;
}

/** The range whose words are all followed by a gap inside the original one. */
function shortened(range: TokenRange | null): TokenRange | null {
  return range && { first: range.first, last: range.last - 1 };
}

function tokenIndex(target: EventTarget | null): number | null {
  const word = target instanceof Element ? target.closest("[data-token]") : null;
  return word === null ? null : Number(word.getAttribute("data-index"));
}

/** Where a key leads from word `here` (-1: nowhere yet); null if it leads nowhere. */
function destination(key: string, here: number, tokens: readonly Token[], region: Element): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowLeft":
      return here < 0
        ? nextWord(tokens, -1, 1)
        : (sideNeighbour(here, tokens, region, key === "ArrowRight" ? "right" : "left") ?? here);
    case "ArrowDown":
    case "ArrowUp":
      return here < 0
        ? nextWord(tokens, -1, 1)
        : (verticalNeighbour(here, tokens, region, key === "ArrowDown" ? 1 : -1) ?? here);
    case "Home":
      return nextWord(tokens, -1, 1);
    case "End":
      return nextWord(tokens, tokens.length, -1);
    default:
      return null;
  }
}

function verticalNeighbour(here: number, tokens: readonly Token[], region: Element, direction: 1 | -1): number | null {
  const { elements, words } = wordsIn(region, tokens);
  return tokenIndex(inNextLine(elements[here]!, words, direction));
}

function sideNeighbour(here: number, tokens: readonly Token[], region: Element, side: "right" | "left"): number | null {
  const { elements, words } = wordsIn(region, tokens);
  const runsLeft = region.getAttribute("dir") === "rtl" || isFromRight(paragraphOf(tokens[here]!, region.textContent));
  return tokenIndex(beside(elements[here]!, words, side, (side === "left") === runsLeft));
}

function wordsIn(region: Element, tokens: readonly Token[]): { elements: readonly Element[]; words: readonly Element[] } {
  const elements = [...region.querySelectorAll("[data-token]")];
  return { elements, words: elements.filter((_, index) => !tokens[index]!.punctuation) };
}

/** The stretch between line breaks, which has a direction of its own unless all of the text runs from the right. */
function paragraphOf({ from }: Token, text: string): string {
  const end = text.indexOf("\n", from);
  return text.slice(text.lastIndexOf("\n", from - 1) + 1, end < 0 ? undefined : end);
}
