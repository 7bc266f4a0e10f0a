/**
 * The crowd's own script, `wrap_crowd_source.js`, loaded before the bundle: who the worker is, which assignment this
 * is, and how finished work is handed back. The names are Mephisto's.
 */

import { Backoff, sleep } from "./backoff";

export interface AgentRegistration {
  worker_name: string | null;
  agent_registration_id: string;
  assignment_id: string | null;
  provider_type: string;
}

declare global {
  function getWorkerName(): string | null;
  function getAssignmentId(): string | null;
  function getAgentRegistration(): AgentRegistration;
  function handleSubmitToProvider(data: Record<string, string>): unknown;
  /** Of the suite alone: the portal around the page counts the time down. */
  var tellEndOfWork: ((endsAt: number) => void) | undefined;
  /** Of the suite alone, for crowds that wait for a form. */
  var submitBehindPage: ((data: Record<string, string>) => Promise<unknown>) | undefined;
}

const NO_ASSIGNMENT = "ASSIGNMENT_ID_NOT_AVAILABLE";

export function providerIsLoaded(): boolean {
  return typeof globalThis.getAgentRegistration === "function";
}

/** Whether no crowd stands behind the page (Mephisto's `mock` provider): `visitor.ts` sees to name and assignment. */
export function isWithoutCrowd(): boolean {
  return getAgentRegistration().provider_type === "mock";
}

/** Whether the worker looks at the HIT before accepting it. */
export function isPreview(): boolean {
  const assignment = getAssignmentId();
  return assignment === NO_ASSIGNMENT || (!isWithoutCrowd() && (!assignment || !getWorkerName()));
}

export function registration(): AgentRegistration {
  return getAgentRegistration();
}

/**
 * Hands the finished HIT back to the crowd. Crowds post a form, whose nested values would become "[object Object]", so
 * everything goes into one field as JSON.
 */
export function handBack(finalData: Readonly<Record<string, unknown>>): void {
  handleSubmitToProvider({ final: JSON.stringify(finalData) });
}

const TRIES = 8;

/** Hands the finished HIT back while the page stays open. The crowd takes it once, also if `handBack` follows. */
export async function handBackBehind(finalData: Readonly<Record<string, unknown>>, backoff = new Backoff()): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      await globalThis.submitBehindPage?.({ final: JSON.stringify(finalData) });
      return;
    } catch {
      await sleep(backoff.next());
    }
  }
}
