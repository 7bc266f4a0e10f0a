/** The calls of acts: what one would cost, and doing it. */

import { send } from "../../review/api";
import { newId } from "../../src/crowd/ids";
import type { Done, Estimated, FilePreview, SentAct, SentDeed } from "../records";
import { type Draft, type Look, valuesOf } from "./draft";

export const MAX_FILE_BYTES = 33 * 2 ** 20;

/** Ask what an act would cost, and look at its file. */
export async function lookAt(draft: Draft, token: string): Promise<Look> {
  const act: SentAct = { action: draft.of.action, values: valuesOf(draft) };
  const request = newId();
  if (draft.file !== null) {
    const preview = await sendFile<FilePreview>("previews", draft, draft.file, act, token);
    return { estimate: preview.estimate, preview, request };
  }
  const { estimate } = await sendJson<Estimated>("estimates", draft, act, token);
  return { estimate, preview: null, request };
}

/** Do what a person has agreed to. */
export function deed(draft: Draft, { estimate, preview, request }: Look, token: string): Promise<Done> {
  const sent: SentDeed = {
    action: draft.of.action,
    values: valuesOf(draft),
    request,
    agreed_cents: estimate?.worst_cents ?? null,
    sha256: preview?.sha256 ?? null,
  };
  return draft.file === null
    ? sendJson<Done>("deeds", draft, sent, token)
    : sendFile<Done>("deeds-with-file", draft, draft.file, sent, token);
}

function sendJson<T>(path: string, { campaign }: Draft, act: SentAct, token: string): Promise<T> {
  const query = new URLSearchParams({ campaign });
  return send<T>(`api/acts/${path}?${query}`, JSON.stringify(act), "application/json", token);
}

async function sendFile<T>(path: string, { campaign }: Draft, file: File, act: SentAct, token: string): Promise<T> {
  await checkedFile(file);
  const query = new URLSearchParams({ campaign, name: file.name, act: JSON.stringify(act) });
  return send<T>(`api/acts/${path}?${query}`, file, "application/octet-stream", token);
}

/** Check that a file can be sent. Throws words for one that is too large, or cannot be read any more. */
export async function checkedFile(file: File): Promise<void> {
  if (file.size > MAX_FILE_BYTES) {
    const has = Math.ceil(file.size / 2 ** 20).toLocaleString("en");
    throw new Error(`The file has ${has} MiB, and 33 are allowed. Send its contexts in several smaller files.`);
  }
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error("The file cannot be read. It may have changed: choose it again.");
    });
}
