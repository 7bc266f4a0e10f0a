/**
 * Offsets in Unicode code points, as Python counts them. JavaScript counts UTF-16 units, of which a character outside
 * the basic plane (𝄞, most emoji) takes two.
 */

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) {
    length += 1;
  }
  return length;
}

/** The code points before the UTF-16 position `unit`. */
export function toCodePoints(text: string, unit: number): number {
  return codePointLength(text.slice(0, unit));
}

/** The UTF-16 position of the code point `point`. */
export function toUnits(text: string, point: number): number {
  let unit = 0;
  for (const character of text) {
    if (point-- <= 0) {
      break;
    }
    unit += character.length;
  }
  return unit;
}
