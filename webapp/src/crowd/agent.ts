/**
 * What the page asks over HTTP: the configuration of the task, an agent for this worker, and the final submission. Every
 * request is tried again while the server is away (503, a lost connection); all of them may safely arrive twice.
 */

import { postReport } from "../faults/faults";
import { say } from "../words/say";
import { type Told, told } from "../words/told";
import { Backoff, sleep } from "./backoff";
import { clientTimestamp } from "./packets";
import type { AgentRegistration } from "./provider";

export interface Agent {
  agent_id: string;
  agent_secret: string;
  init_task_data: unknown;
}

/** The codes of a refusal: another browser has this HIT, and something has failed for a moment. */
export const ELSEWHERE = "elsewhere";
const FAILED = "internal";

/** The server has answered that it will not do this; the message is written for the worker. */
export class Declined extends Error {
  constructor(
    message: string,
    readonly code = "",
  ) {
    super(message);
  }
}

export interface Patience {
  /** Told once per failed try, with the server's reason if it gave one, so that the page can say that it goes on trying. */
  onWait: (reason?: string) => void;
  backoff?: Backoff;
  fetch?: typeof globalThis.fetch;
}

const AWAY = new Set([408, 425, 429, 500, 502, 503, 504]);

export async function taskConfig(patience: Patience): Promise<Record<string, unknown>> {
  return record(await ask("task_config.json", { cache: "no-cache" }, patience));
}

/** An agent for this worker and assignment: the same one again after a reload. */
export async function requestAgent(
  registration: AgentRegistration,
  pageKey: string | undefined,
  patience: Patience,
): Promise<Agent> {
  const body = { provider_data: { ...registration, page_key: pageKey }, client_timestamp: clientTimestamp() };
  const backoff = patience.backoff ?? new Backoff();
  let data = record(record(await ask("request_agent", post(body), patience)).data);
  while (data.failure_code === FAILED) {
    patience.onWait(failure(data));
    await sleep(backoff.next());
    data = record(record(await ask("request_agent", post(body), patience)).data);
  }
  const { agent_id, agent_secret, failure_reason, failure_code } = data;
  if (typeof agent_id !== "string" || failure_reason) {
    throw new Declined(failure(data) || say("session.no_work"), String(failure_code ?? ""));
  }
  return { agent_id, agent_secret: String(agent_secret ?? ""), init_task_data: data.init_task_data };
}

export async function submitTask(
  agent: Agent,
  finalData: Readonly<Record<string, unknown>>,
  patience: Patience,
): Promise<void> {
  const body = {
    USED_AGENT_ID: agent.agent_id,
    agent_secret: agent.agent_secret,
    final_data: finalData,
    client_timestamp: clientTimestamp(),
  };
  await ask("submit_task", post(body), patience);
}

/** Tells the operator of an error on the page. What does not arrive is given up. */
export function reportFault(agent: Agent, text: string): void {
  const { agent_id, agent_secret } = agent;
  postReport("log_error", { USED_AGENT_ID: agent_id, agent_secret, error_data: { text } });
}

function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function ask(path: string, init: RequestInit, patience: Patience): Promise<unknown> {
  const backoff = patience.backoff ?? new Backoff();
  for (;;) {
    const response = await (patience.fetch ?? fetch)(path, init).catch(() => null);
    if (response?.ok) {
      return response.json();
    }
    if (response !== null && !AWAY.has(response.status)) {
      throw new Declined(await reason(response));
    }
    patience.onWait();
    await sleep(backoff.next());
  }
}

async function reason(response: Response): Promise<string> {
  const body = record(await response.json().catch(() => null));
  const error = record(body.error);
  return typeof error.message === "string" ? told(error as unknown as Told) : say("session.refused", { status: `${response.status} ${response.statusText}`.trim() });
}

/** Why there is no agent; empty where the server gives no reason. */
function failure({ failure_reason, failure_said }: Record<string, unknown>): string {
  return typeof failure_reason === "string" ? told({ message: failure_reason, said: failure_said as Told["said"] }) : "";
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
