/** How a question came to be, as lines: its length, and where the AI was first right ("Trick Me If You Can", Figure 9). */

import type { Edit } from "../../writing/edits";
import type { Shown } from "./guesses";
import type { Question } from "./terms";
import { words } from "./wording";

export interface Point {
  length: number;
  /** The word at which the AI was first right; null where it never was, or was not asked. */
  buzz: number | null;
}

export const WIDTH = 600;
export const HEIGHT = 140;

export function pointsOf(edits: readonly Edit<Question, Shown>[]): Point[] {
  return edits.map(({ draft, hint }) => ({ length: words(draft.text).length, buzz: hint?.first_right ?? null }));
}

export function x(index: number, count: number): number {
  return count < 2 ? 0 : (index / (count - 1)) * WIDTH;
}

/** SVG paths of both lines; where the AI is not right the second one is interrupted. */
export function paths(points: readonly Point[]): { length: string; buzz: string } {
  const most = longest(points);
  const y = (value: number) => HEIGHT - (value / most) * HEIGHT;
  const line = (values: readonly (number | null)[]) =>
    values
      .map((value, index) => {
        if (value === null) {
          return "";
        }
        const starts = (values[index - 1] ?? null) === null;
        const ends = (values[index + 1] ?? null) === null;
        const at = `${round(x(index, points.length))} ${round(y(value))}`;
        return `${starts ? "M" : "L"}${at}${starts && ends ? "h0.1" : ""}`; // one alone is a dot
      })
      .join("");
  return { length: line(points.map((point) => point.length)), buzz: line(points.map((point) => point.buzz)) };
}

export function longest(points: readonly Point[]): number {
  return Math.max(1, ...points.map(({ length }) => length));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
