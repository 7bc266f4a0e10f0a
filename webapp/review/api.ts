/** The calls to the server. Texts are workers': they are shown as text and never as anything else. */

import type {
  Admission,
  Answer,
  ClosedLink,
  Credentials,
  GroupMembers,
  HeldDecision,
  Invitation,
  Judgement,
  LinkFor,
  OpenLinkTerms,
  Results,
  SentList,
  SignedIn,
  SignedOut,
  StandingChange,
  StateChange,
} from "./records";

export type Session = SignedIn | SignedOut;
export type Verdict = Judgement["verdict"];
export type Change = StandingChange["change"];
/** What a change may hold; signing out holds nothing. */
export type Sent =
  | Admission
  | Answer
  | Credentials
  | HeldDecision
  | Judgement
  | Results
  | StandingChange
  | SentToPeople
  | Record<string, never>;
type SentToPeople = ClosedLink | GroupMembers | Invitation | LinkFor | OpenLinkTerms | SentList | StateChange;
/** What is told of a work or a prediction, by the names of its kind's fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** The server's answer to what cannot be done; `status` 401 means that the session is over. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The name of the value that is wrong, if it is one. */
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

const UNREACHABLE = "The server does not answer. Is it still running, and are you online?";
const MAY_HAVE_ARRIVED = `${UNREACHABLE} What you sent may have arrived: look before you send it again.`;

async function call<T>(path: string, options: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, options.method === "POST" ? MAY_HAVE_ARRIVED : UNREACHABLE);
  }
  const content: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { error } = content as { error?: { message?: string; field?: string | null } };
    throw new Refusal(response.status, error?.message ?? `The server answered ${response.status}.`, error?.field);
  }
  return content as T;
}

export function get<T>(path: string): Promise<T> {
  return call<T>(path, { headers: { Accept: "application/json" } });
}

/** A change; `formToken` is the session's, without which the server takes none from somebody who has signed in. */
export function post<T>(path: string, content: Sent, formToken?: string): Promise<T> {
  return send<T>(path, JSON.stringify(content), "application/json", formToken);
}

/** A change with a body of any type. */
export function send<T>(path: string, body: BodyInit, type: string, formToken?: string): Promise<T> {
  const token = formToken === undefined ? {} : { "X-Form-Token": formToken };
  return call<T>(path, { method: "POST", headers: { "Content-Type": type, ...token }, body });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
