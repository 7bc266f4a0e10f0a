/** A file as it is sent: any encoding, in base64. */

export const MAX_FILE_BYTES = 2_000_000;
export const TOO_LONG = "The file has more than 2 MB. Use `beat-the-ai people import` for it.";

const BYTES_AT_ONCE = 0x8000; // as arguments of one call

export async function contentOf(file: File): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error("The file cannot be read. It may have changed: choose it again.");
  }
  let text = "";
  for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(from, from + BYTES_AT_ONCE));
  }
  return btoa(text);
}
