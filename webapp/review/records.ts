/** Written by `make webapp` from beat_the_ai.review.views and beat_the_ai.review.app: change these, not this file. */

/**
 * Blocked workers may not work, as revoked ones; but only the work of revoked ones is discarded.
 */
export type Standing = "candidate" | "qualified" | "revoked" | "blocked";

/**
 * The records of these modules, by their names.
 */
export interface Records {
  SignedOut: SignedOut;
  SignedIn: SignedIn;
  Proposal: Proposal;
  Worker: Worker;
  PairAgreement: PairAgreement;
  Agreement: Agreement;
  DoubtfulCounts: DoubtfulCounts;
  Overview: Overview;
  WorkersPage: WorkersPage;
  Context: Context;
  DoubtfulWork: DoubtfulWork;
  DoubtfulWorks: DoubtfulWorks;
  Edit: Edit;
  Edits: Edits;
  Telemetry: Telemetry;
  Evidence: Evidence;
  Reading: Reading;
  Flag: Flag;
  Attempt: Attempt;
  Review: Review;
  Verdicts: Verdicts;
  Judged: Judged;
  Hit: Hit;
  StandingEvent: StandingEvent;
  Outcome: Outcome;
  Consequences: Consequences;
  WorkerDetail: WorkerDetail;
  Response: Response;
  Screening: Screening;
  Candidate: Candidate;
  Candidates: Candidates;
  QualificationRequest: QualificationRequest;
  QualificationRequests: QualificationRequests;
  LogEntry: LogEntry;
  LogPart: LogPart;
  Credentials: Credentials;
  Judgement: Judgement;
  StandingChange: StandingChange;
  Admission: Admission;
  Results: Results;
}
/**
 * Nobody has signed in.
 */
export interface SignedOut {
  campaign: null;
  reviewer: null;
  lead: false;
  sees_all: false;
}
/**
 * The reviewer who has signed in, and the token that every change must carry.
 */
export interface SignedIn {
  campaign: string;
  reviewer: string;
  lead: boolean;
  sees_all: boolean;
  form_token: string;
}
/**
 * A revocation that waits for a second lead while `outcome` is null. It has no effect before.
 */
export interface Proposal {
  by: string;
  reason: string;
  outcome: ("revoked" | "withdrawn") | null;
  closed_by: string | null;
  at: string;
  closed_at: string | null;
}
/**
 * A worker as one reviewer may know them.
 *
 * `low` and `high` are the 95% interval of the accuracy. `to_judge` of the sampled HITs wait for this reviewer; others
 * judged `judged_by_others` of those.
 */
export interface Worker {
  worker: string;
  standing: Standing | null;
  completed: number;
  sampled: number;
  reviewed: number;
  accepted: number;
  low: number;
  high: number;
  recommended: boolean;
  accuracy: number | null;
  proposal: Proposal | null;
  to_judge: number;
  judged_by_others: number;
}
/**
 * Cohen's kappa of two reviewers; null where it is not defined.
 */
export interface PairAgreement {
  /**
   * @minItems 2
   * @maxItems 2
   */
  reviewers: [unknown, unknown];
  kappa: number | null;
}
/**
 * The agreement of reviewers on the HITs that two or more judged; null where it is not defined.
 */
export interface Agreement {
  units: number;
  percent: number | null;
  alpha: number | null;
  kappa: PairAgreement[];
}
/**
 * The number of doubtful works, and of those that wait for a lead.
 */
export interface DoubtfulCounts {
  all: number;
  waiting: number;
}
/**
 * The head of the queue: `to_judge` is the number of sampled HITs that wait for this reviewer.
 *
 * `next` is the first worker with such HITs. `second_person`: a revocation that the reviews do not recommend waits for
 * a second lead.
 */
export interface Overview {
  campaign: string;
  words: Words;
  threshold: number;
  second_person: boolean;
  to_judge: number;
  next: string | null;
  candidates: number;
  doubtful: DoubtfulCounts;
  agreement: Agreement;
}
/**
 * The names of a work and of a context of this kind of task, one and many of them.
 *
 * `faults` are sentences about faults that reviewers may find in a work; reviewers may write others.
 */
export interface Words {
  work: string;
  works: string;
  context: string;
  contexts: string;
  faults: string[];
}
/**
 * A page of the queue. `left` more workers are behind it: `after` asks for the next page where there are any.
 */
export interface WorkersPage {
  workers: Worker[];
  left: number;
  after: string | null;
}
/**
 * A context without its private parts: reviewers judge what the writer could see.
 */
export interface Context {
  id: string;
  title: string;
  text: string;
}
/**
 * A work that waits for a person, why, and its writer's answer to that.
 *
 * `counts`: its HIT was handed in and confirmed. `admitted` is a lead's word on it.
 */
export interface DoubtfulWork {
  attempt: string;
  assignment: string;
  worker: string;
  counts: boolean;
  context: Context;
  work: {
    [k: string]: unknown;
  };
  fooled: boolean;
  doubts: string[];
  appeal: string | null;
  admitted: boolean | null;
  at: string;
}
/**
 * The works that wait for a person before they count, those that nobody has settled first.
 */
export interface DoubtfulWorks {
  doubtful: DoubtfulWork[];
}
/**
 * A draft as the model saw it. `prediction` is null where a newer draft overtook it.
 */
export interface Edit {
  ordinal: number;
  attempt: number;
  cause: string;
  draft: {
    [k: string]: unknown;
  };
  prediction: {
    [k: string]: unknown;
  } | null;
  at: string;
}
/**
 * Drafts in their order; `more` if these are not all.
 */
export interface Edits {
  edits: Edit[];
  more: boolean;
}
/**
 * The typing of an attempt.
 */
export interface Telemetry {
  pastes: number;
  pasted_chars: number;
  keystrokes: number;
  focused_seconds: number;
  first_key_seconds: number | null;
}
/**
 * A sign of cheating, for reviewers to judge. `strength` is a share from 0 to 1.
 */
export interface Evidence {
  kind: string;
  strength: number;
  detail: string;
}
/**
 * The readable texts of a work and its prediction, by their names.
 */
export interface Reading {
  work: {
    [k: string]: unknown;
  };
  prediction: {
    [k: string]: unknown;
  };
}
/**
 * A writer's report on a verdict.
 */
export interface Flag {
  reason: string;
  note: string | null;
}
/**
 * An attempt with all that is known of it.
 *
 * `reading` is null where the page has a view of its own for the fields of the kind.
 */
export interface Attempt {
  id: string;
  work: {
    [k: string]: unknown;
  };
  prediction: {
    [k: string]: unknown;
  };
  reading: Reading | null;
  fooled: boolean;
  scores: {
    [k: string]: unknown;
  };
  model: string;
  created_at: string;
  retracted_at: string | null;
  explanation: {
    [k: string]: unknown;
  } | null;
  flag: Flag | null;
  telemetry: Telemetry | null;
  doubts: string[];
  appeal: string | null;
  admitted: boolean | null;
  evidence: Evidence[];
  votes: {
    [k: string]: unknown;
  }[];
}
/**
 * A reviewer's verdict on a HIT.
 */
export interface Review {
  reviewer: string;
  verdict: "accept" | "reject";
  reason: string;
  at: string;
}
/**
 * The verdicts on a HIT, as one reviewer may see them.
 *
 * `others` are empty until `mine` stands; `judged_by_others` only says that there are some.
 */
export interface Verdicts {
  mine: Review | null;
  others: Review[];
  judged_by_others: boolean;
}
/**
 * The verdicts on the HIT that was judged, and its worker now.
 */
export interface Judged {
  mine: Review | null;
  others: Review[];
  judged_by_others: boolean;
  worker: Worker;
}
/**
 * A sampled HIT with all that was written in it.
 *
 * `evidence` are signs in the HIT as a whole. `edits` counts the drafts that the model has seen, which can be
 * replayed.
 */
export interface Hit {
  assignment: string;
  worker: string;
  context: Context;
  accepted_at: string;
  submitted_at: string;
  feedback: string | null;
  edits: number;
  evidence: Evidence[];
  attempts: Attempt[];
  mine: Review | null;
  others: Review[];
  judged_by_others: boolean;
}
/**
 * A decision about a worker. `answer` is what the marketplace said, where it was asked.
 */
export interface StandingEvent {
  worker: string;
  standing: Standing;
  by: string;
  reason: string;
  answer: ("confirmed" | "declined" | "unanswered") | null;
  answer_note: string | null;
  at: string;
}
/**
 * The outcome of a decision: the new standing, the proposal, or neither if a request was turned down.
 */
export interface Outcome {
  worker: string;
  standing: Standing | null;
  by: string | null;
  reason: string | null;
  answer: ("confirmed" | "declined" | "unanswered") | null;
  answer_note: string | null;
  at: string | null;
  proposal: Proposal | null;
}
/**
 * The effect of a revocation. Amounts are US cents without fees.
 */
export interface Consequences {
  worker: string;
  hits: number;
  attempts: number;
  wins: number;
  paid_cents: number;
  owed_cents: number;
}
/**
 * The worker's sampled HITs, how the worker came to stand so, and what a revocation would do.
 *
 * `next` is the next worker with HITs that wait for this reviewer.
 */
export interface WorkerDetail {
  worker: string;
  summary: Worker;
  next: string | null;
  history: StandingEvent[];
  proposals: Proposal[];
  consequences: Consequences;
  hits: Hit[];
}
/**
 * An answer in the quiz. `mistake` is null for a right one.
 */
export interface Response {
  step: string;
  work: {
    [k: string]: unknown;
  };
  mistake: string | null;
  evidence: {
    [k: string]: unknown;
  };
  created_at: string;
}
/**
 * The quiz and the sample HIT of a newcomer. `outcome` is the grader's word once it was handed in.
 */
export interface Screening {
  outcome: string | null;
  started_at: string;
  submitted_at: string | null;
  steps: Response[];
  context: Context;
  attempts: Attempt[];
  feedback: string | null;
}
/**
 * A newcomer. `decidable`: a lead may grant or refuse the qualification.
 */
export interface Candidate {
  worker: string;
  standing: StandingEvent | null;
  screening: Screening | null;
  decidable: boolean;
}
/**
 * Newcomers, those who wait for a decision first.
 */
export interface Candidates {
  candidates: Candidate[];
}
/**
 * A worker's request in the marketplace. `screened`: the worker has handed in a screening.
 */
export interface QualificationRequest {
  worker: string;
  at: string;
  standing: Standing | null;
  screened: boolean;
}
/**
 * Requests in the marketplace, the oldest first.
 */
export interface QualificationRequests {
  requests: QualificationRequest[];
}
/**
 * An entry of the log. `hash` is over the entry and the one before.
 */
export interface LogEntry {
  id: number;
  at: string;
  who: string;
  action: string;
  subject: string;
  note: string;
  machine_user: string;
  hash: string;
}
/**
 * Entries of the log, the newest first. Older ones are those `before` that id, if there are any.
 */
export interface LogPart {
  entries: LogEntry[];
  before: number | null;
}
export interface Credentials {
  name: string;
  password: string;
}
export interface Judgement {
  assignment: string;
  verdict: "accept" | "reject" | "undo";
  reason: string;
}
/**
 * `confirmation` is the worker's id once more: a revocation has to be typed.
 */
export interface StandingChange {
  worker: string;
  change: "grant" | "refuse" | "propose" | "revoke" | "confirm" | "withdraw" | "reinstate";
  reason: string;
  confirmation: string;
}
/**
 * A lead's word on a work that is doubted.
 */
export interface Admission {
  attempt: string;
  admitted: boolean;
  reason: string;
}
/**
 * The verdicts that count in a reviewer's view of workers.
 */
export interface Results {
  all: boolean;
}
