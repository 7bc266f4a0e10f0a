/**
 * Characters without a shape come with what people paste, and nobody can see them to remove them. They are taken out of
 * every text field of a page as they come in. `shapeless.json` has examples on which `text.py` agrees.
 */

const SHAPELESS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for alone, whatever it joins
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/u.source;
/** These change the direction of text, which the server refuses. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.source;
/** Joiners in scripts that have none. Where else one is needed is not known before the next letter is typed. */
const STRAY_JOINERS = /(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}\p{P}\s])[\u200c\u200d]+/u.source;
const REMOVED = new RegExp(`${SHAPELESS}|${BIDI_CONTROLS}|${STRAY_JOINERS}`, "gu");

export function withoutShapeless(text: string): string {
  return text.replace(REMOVED, "");
}

/**
 * Clean each text field before its own handlers read it, and say how many characters went. Returns how to end that.
 *
 * The prototype's setter is used: React takes a value that was set on the field itself for its own, and says nothing.
 */
export function cleanFields(root: EventTarget, onRemoved: (count: number) => void): () => void {
  const clean = (event: Event) => {
    const field = event.target;
    if (!isText(field) || (event as InputEvent).isComposing) {
      return;
    }
    const { value, selectionStart, selectionEnd } = field;
    const cleaned = withoutShapeless(value);
    if (cleaned === value) {
      return;
    }
    const [start, end] = [selectionStart, selectionEnd].map((at) => withoutShapeless(value.slice(0, at ?? 0)).length);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, cleaned);
    field.setSelectionRange(start ?? 0, end ?? 0);
    onRemoved(value.length - cleaned.length);
  };
  root.addEventListener("input", clean, { capture: true });
  return () => root.removeEventListener("input", clean, { capture: true });
}

function isText(field: unknown): field is HTMLInputElement | HTMLTextAreaElement {
  return field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === "text");
}
