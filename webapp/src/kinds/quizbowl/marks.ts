/** Stretches of a text, in Unicode code points as the server counts them. */

export interface Mark {
  start: number;
  end: number;
}

export interface Part {
  text: string;
  marked: boolean;
}

/** The text between `within` in parts; marks are places in the whole text, in order. */
export function parts(text: string, marks: readonly Mark[], within?: Mark): Part[] {
  const chars = [...text];
  const { start, end } = within ?? { start: 0, end: chars.length };
  const found: Part[] = [];
  const add = (from: number, to: number, marked: boolean) =>
    from < to && found.push({ text: chars.slice(from, to).join(""), marked });
  let place = start;
  for (const mark of marks) {
    add(place, Math.min(mark.start, end), false);
    add(Math.max(mark.start, place), Math.min(mark.end, end), true);
    place = Math.max(place, Math.min(mark.end, end));
  }
  add(place, end, false);
  return found;
}
