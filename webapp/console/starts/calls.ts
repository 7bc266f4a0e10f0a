/** The calls of a campaign that is being started. */

import { get, post, send } from "../../review/api";
import { newId } from "../../src/crowd/ids";
import { checkedFile } from "../acts/calls";
import type {
  Choices,
  Estimated,
  FilePreview,
  Job,
  Launched,
  SentChoices,
  SentJob,
  SentLaunch,
  SentLook,
  SentStop,
  StartDraft,
  Starts,
} from "../records";

export function listed(): Promise<Starts> {
  return get<Starts>("api/starts");
}

export function begin(task: string, token: string): Promise<StartDraft> {
  return sendJson<StartDraft>("api/starts", { request: newId(), task }, token);
}

export function read(draft: string): Promise<StartDraft> {
  return get<StartDraft>(address("draft", draft));
}

export function save({ id, revision }: StartDraft, choices: Choices, token: string): Promise<StartDraft> {
  return sendJson<StartDraft>(address("draft", id), { revision, choices } satisfies SentChoices, token);
}

export async function sendContexts({ id, revision }: StartDraft, file: File, token: string): Promise<FilePreview> {
  await checkedFile(file);
  const query = { revision: String(revision), name: file.name };
  return send<FilePreview>(address("contexts", id, query), file, "application/octet-stream", token);
}

export function startJob(draft: string, job: SentJob["job"], token: string): Promise<StartDraft> {
  return sendJson<StartDraft>(address("jobs", draft), { job } satisfies SentJob, token);
}

/** Stop the run of a job that is shown; one that has begun since goes on. */
export function stopJob(draft: string, { name, began_at }: Job, token: string): Promise<StartDraft> {
  return sendJson<StartDraft>(address("stops", draft), { job: name as SentStop["job"], began_at } satisfies SentStop, token);
}

export function makeForecast(draft: string, token: string): Promise<StartDraft> {
  return sendJson<StartDraft>(address("forecasts", draft), {}, token);
}

export function estimate({ id, revision }: StartDraft, token: string): Promise<Estimated> {
  return sendJson<Estimated>(address("estimates", id), { revision } satisfies SentLook, token);
}

export function launch(draft: string, sent: SentLaunch, token: string): Promise<Launched> {
  return sendJson<Launched>(address("launches", draft), sent, token);
}

export async function discard(draft: string, token: string): Promise<void> {
  await post(address("discarded", draft), {}, token);
}

function address(path: string, draft: string, more: Readonly<Record<string, string>> = {}): string {
  return `api/starts/${path}?${new URLSearchParams({ draft, ...more })}`;
}

function sendJson<T>(path: string, content: object, token: string): Promise<T> {
  return send<T>(path, JSON.stringify(content), "application/json", token);
}
