/**
 * The length in Unicode code points, as Python counts. JavaScript counts UTF-16 units, of which a character outside the
 * basic plane (𝄞, most emoji) takes two.
 */
export function codePointLength(text: string): number {
  return [...text].length;
}
