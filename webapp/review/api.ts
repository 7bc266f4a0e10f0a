/** What the server tells and takes. Texts are workers': they are shown as text and never as anything else. */

import type { KindWords } from "./kindWords";

export type Standing = "candidate" | "qualified" | "revoked" | "blocked";
export type Verdict = "accept" | "reject" | "undo";
export type Change = "grant" | "refuse" | "propose" | "revoke" | "confirm" | "withdraw" | "reinstate";
export type Fields = Readonly<Record<string, unknown>>;

export interface Session {
  campaign: string | null;
  reviewer: string | null;
  lead: boolean;
  sees_all: boolean;
  form_token?: string;
}

/** A revocation that waits for a second lead while `outcome` is null; it has no effect before. */
export interface Proposal {
  by: string;
  reason: string;
  at: string;
  outcome: "revoked" | "withdrawn" | null;
  closed_by: string | null;
  closed_at: string | null;
}

/** `low` and `high` are the 95% interval of the accuracy; `to_judge` are the HITs that wait for this reviewer. */
export interface Worker {
  worker: string;
  standing: Standing | null;
  completed: number;
  sampled: number;
  reviewed: number;
  accepted: number;
  accuracy: number | null;
  low: number;
  high: number;
  recommended: boolean;
  to_judge: number;
  judged_by_others: number;
  proposal: Proposal | null;
}

export interface Agreement {
  units: number;
  percent: number | null;
  alpha: number | null;
  kappa: readonly { reviewers: readonly [string, string]; kappa: number | null }[];
}

export interface Overview {
  campaign: string;
  words: KindWords;
  threshold: number;
  /** Whether a revocation that the reviews do not recommend waits for a second lead. */
  second_person: boolean;
  workers: readonly Worker[];
  candidates: number;
  doubtful: { all: number; waiting: number };
  agreement: Agreement;
}

/** Why a work waits for a person, what its writer says to that, and what was decided; without doubts all is empty. */
export interface Doubted {
  doubts: readonly string[];
  appeal: string | null;
  admitted: boolean | null;
}

/** `counts`: the HIT was handed in and confirmed. */
export interface DoubtfulWork extends Doubted {
  attempt: string;
  assignment: string;
  worker: string;
  counts: boolean;
  context: Context;
  work: Fields;
  fooled: boolean;
  at: string;
}

/** A draft as the model saw it; `prediction` is null where a newer one overtook it. */
export interface Edit {
  ordinal: number;
  attempt: number;
  cause: string;
  draft: Fields;
  prediction: Fields | null;
  at: string;
}

export interface Context {
  id: string;
  title: string;
  text: string;
}

export interface Telemetry {
  pastes: number;
  pasted_chars: number;
  keystrokes: number;
  focused_seconds: number;
  first_key_seconds: number | null;
}

export interface Evidence {
  kind: string;
  strength: number;
  detail: string;
}

/** What reviewers read of a work and its prediction; null where the page has a view of its own for the fields. */
export interface Reading {
  work: Fields;
  prediction: Fields;
}

export interface Attempt extends Doubted {
  id: string;
  reading: Reading | null;
  work: Fields;
  prediction: Fields;
  fooled: boolean;
  scores: Readonly<Record<string, number>>;
  model: string;
  created_at: string;
  retracted_at: string | null;
  flag: { reason: string; note: string | null } | null;
  telemetry: Telemetry | null;
  evidence: readonly Evidence[];
  votes: readonly Fields[];
}

export interface Review {
  reviewer: string;
  verdict: "accept" | "reject";
  reason: string;
  at: string;
}

/** `others` are empty until `mine` stands; `judged_by_others` only says that there are some. */
export interface Verdicts {
  mine: Review | null;
  others: readonly Review[];
  judged_by_others: boolean;
}

export interface Hit extends Verdicts {
  assignment: string;
  worker: string;
  context: Context;
  accepted_at: string;
  submitted_at: string;
  feedback: string | null;
  /** How many drafts the model has seen. */
  edits: number;
  /** Signs in the HIT as a whole. */
  evidence: readonly Evidence[];
  attempts: readonly Attempt[];
}

/** Amounts are US cents without fees. */
export interface Consequences {
  hits: number;
  attempts: number;
  wins: number;
  paid_cents: number;
  owed_cents: number;
}

export interface StandingEvent {
  worker: string;
  standing: Standing;
  by: string;
  reason: string;
  at: string;
  answer: "confirmed" | "declined" | "unanswered" | null;
  answer_note: string | null;
}

/** What a decision came to: a standing, a proposal, or neither where a request was turned down. */
export interface Outcome {
  standing: Standing | null;
  answer: StandingEvent["answer"];
  answer_note: string | null;
  proposal: Proposal | null;
}

export interface WorkerDetail {
  worker: string;
  history: readonly StandingEvent[];
  proposals: readonly Proposal[];
  consequences: Consequences;
  hits: readonly Hit[];
}

export interface Screening {
  outcome: string | null;
  started_at: string;
  submitted_at: string | null;
  steps: readonly { step: string; work: Fields; mistake: string | null; evidence: Fields; created_at: string }[];
  context: Context;
  attempts: readonly Attempt[];
  feedback: string | null;
}

export interface Candidate {
  worker: string;
  standing: StandingEvent | null;
  screening: Screening | null;
  decidable: boolean;
}

/** A worker asks the marketplace to be let in. `screened`: there is a screening of theirs to look at. */
export interface QualificationRequest {
  worker: string;
  at: string;
  standing: Standing | null;
  screened: boolean;
}

export interface LogEntry {
  id: number;
  at: string;
  who: string;
  action: string;
  subject: string;
  note: string;
  machine_user: string;
}

/** The server's answer to what cannot be done; `status` 401 means that the session is over. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const UNREACHABLE = "The review server does not answer. Is it still running? Nothing was changed.";

async function call<T>(path: string, options: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, UNREACHABLE);
  }
  const content: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { error } = content as { error?: { message?: string } };
    throw new Refusal(response.status, error?.message ?? `The server answered ${response.status}.`);
  }
  return content as T;
}

export function get<T>(path: string): Promise<T> {
  return call<T>(path, { headers: { Accept: "application/json" } });
}

/** A change; `formToken` is the session's, without which the server takes none from somebody who has signed in. */
export function post<T>(path: string, content: object, formToken?: string): Promise<T> {
  const token = formToken === undefined ? {} : { "X-Form-Token": formToken };
  const headers = { "Content-Type": "application/json", ...token };
  return call<T>(path, { method: "POST", headers, body: JSON.stringify(content) });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
