/** The passage with what the writer marked and what the model answered. Offsets count code points. */

import type { Fields } from "./api";
import "../src/passage/passage.css";
import "./markedPassage.css";

export interface Span {
  text: string;
  start: number;
}

export function MarkedPassage({ text, writer, model }: { text: string; writer: Span | null; model: Span | null }) {
  const points = [...text];
  const pieces = cut(points.length, writer, model);
  return (
    <div className="passage" dir="auto">
      {pieces.map(({ from, to, by }) => {
        const piece = points.slice(from, to).join("");
        return by === "" ? (
          piece
        ) : by === "model" ? (
          <span key={from} className="model">
            {piece}
          </span>
        ) : (
          <mark key={from} className={by === "both" ? "marked model" : "marked"}>
            {piece}
          </mark>
        );
      })}
    </div>
  );
}

interface Piece {
  from: number;
  to: number;
  by: "" | "writer" | "model" | "both";
}

/** The passage in pieces, each of which was marked by nobody, one or both. A span outside of it marks nothing. */
export function cut(length: number, writer: Span | null, model: Span | null): Piece[] {
  const ends = (span: Span | null) => (span === null ? [] : [span.start, span.start + [...span.text].length]);
  const edges = [0, ...ends(writer), ...ends(model), length].filter((at) => at >= 0 && at <= length);
  const sorted = [...new Set(edges)].toSorted((a, b) => a - b);
  const holds = (span: Span | null, at: number) =>
    span !== null && at >= span.start && at < span.start + [...span.text].length;
  return sorted.slice(0, -1).map((from, number) => {
    const byWriter = holds(writer, from);
    const byModel = holds(model, from);
    const by = byWriter && byModel ? "both" : byWriter ? "writer" : byModel ? "model" : "";
    return { from, to: sorted[number + 1] ?? length, by };
  });
}

/** Null for what is no span (other kinds of task have other fields), or stands nowhere in the passage. */
export function spanOf(value: unknown): Span | null {
  const { text, start } = (value ?? {}) as Fields;
  return typeof text === "string" && typeof start === "number" && start >= 0 ? { text, start } : null;
}
