/** Written by `make webapp` from beat_the_ai.review.views and beat_the_ai.review.held_views and beat_the_ai.review.people.views and beat_the_ai.review.app and beat_the_ai.review.visits: change these, not this file. */

/**
 * The role of an account.
 */
export type Role = "requester" | "lead" | "reviewer" | "observer";
/**
 * A right of some roles. Whoever may not judge learns of nobody by name or worker id.
 */
export type Right = "act" | "decide" | "judge" | "start" | "watch";
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
  Decided: Decided;
  LetterAnswer: LetterAnswer;
  Letter: Letter;
  Inbox: Inbox;
  Overview: Overview;
  WorkersPage: WorkersPage;
  Context: Context;
  DoubtfulWork: DoubtfulWork;
  DoubtfulWorks: DoubtfulWorks;
  Edit: Edit;
  Edits: Edits;
  Telemetry: Telemetry;
  Suggestion: Suggestion;
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
  PayDecision: PayDecision;
  HeldHit: HeldHit;
  RejectionCategory: RejectionCategory;
  RejectionTerms: RejectionTerms;
  HeldHits: HeldHits;
  Person: Person;
  PeoplePage: PeoplePage;
  GroupSize: GroupSize;
  StateSize: StateSize;
  OpenLink: OpenLink;
  Crowd: Crowd;
  Link: Link;
  Invited: Invited;
  LineFault: LineFault;
  ListedPerson: ListedPerson;
  ListPreview: ListPreview;
  Imported: Imported;
  Invitation: Invitation;
  OpenLinkTerms: OpenLinkTerms;
  ClosedLink: ClosedLink;
  SentList: SentList;
  GroupMembers: GroupMembers;
  StateChange: StateChange;
  LinkFor: LinkFor;
  Judgement: Judgement;
  StandingChange: StandingChange;
  Admission: Admission;
  HeldDecision: HeldDecision;
  Answer: Answer;
  Results: Results;
  Credentials: Credentials;
}
/**
 * Nobody has signed in.
 */
export interface SignedOut {
  campaign: null;
  reviewer: null;
  sees_all: false;
}
/**
 * The reviewer who has signed in, the token that every change must carry, and the unit of amounts.
 *
 * `rights` are those of the role. `people`: this reviewer manages the people of the campaign's crowd.
 */
export interface SignedIn {
  campaign: string;
  reviewer: string;
  role: Role;
  rights: Right[];
  sees_all: boolean;
  people: boolean;
  form_token: string;
  unit: string;
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
 * A decision that is appealed.
 */
export interface Decided {
  by: string;
  reason: string;
}
/**
 * The answer to a letter. `told`: the crowd took the message to the worker.
 */
export interface LetterAnswer {
  by: string;
  text: string;
  upheld: boolean | null;
  at: string;
  told: boolean;
}
/**
 * A worker's letter: a message, or an appeal of a rejected HIT or of a standing.
 *
 * `not_yours` says why somebody else has to decide it. `overdue`: it waits, and its deadline is over.
 */
export interface Letter {
  id: string;
  worker: string;
  kind: "message" | "rejection" | "standing";
  assignment: string | null;
  text: string;
  at: string;
  due_at: string;
  overdue: boolean;
  decided_by: Decided[];
  not_yours: string | null;
  answer: LetterAnswer | null;
}
/**
 * Letters that wait, those with the earliest deadline first, and the last that were answered.
 */
export interface Inbox {
  waiting: Letter[];
  answered: Letter[];
}
/**
 * The head of the queue: `to_judge` is the number of sampled HITs that wait for this reviewer.
 *
 * `next` is the first worker with such HITs, and `letters` is the number that wait for an answer. `second_person`: a
 * revocation that the reviews do not recommend waits for a second lead.
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
  letters: number;
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
 * A suggestion of a model that an attempt was made of. `distance` is in characters of the text that was typed.
 */
export interface Suggestion {
  model: string;
  edited: boolean;
  distance: number;
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
  suggestion: Suggestion | null;
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
/**
 * A lead's decision on a HIT on hold. `category` is the crowd's name for a kind of rejection.
 */
export interface PayDecision {
  pays: boolean;
  by: string;
  reason: string;
  category: string | null;
}
/**
 * A HIT that is not paid by itself. `cents` is what it costs if it is paid, with fees.
 */
export interface HeldHit {
  assignment: string;
  worker: string;
  work: "writing" | "validation";
  why: string;
  accepted_at: string;
  submitted_at: string | null;
  cents: number;
  decision: PayDecision | null;
}
/**
 * A kind of rejection, by the crowd's name for it and in words.
 */
export interface RejectionCategory {
  name: string;
  words: string;
}
/**
 * The reason and category that the crowd asks for to reject work.
 */
export interface RejectionTerms {
  min_chars: number;
  most_chars: number;
  categories: RejectionCategory[];
}
/**
 * HITs on hold, those that nobody has decided first. `rejections` is null where the crowd asks for nothing.
 */
export interface HeldHits {
  held: HeldHit[];
  rejections: RejectionTerms | null;
}
/**
 * A person of the crowd. `recruited`: a recruiter sent them, and nobody here invites them.
 *
 * `changes` are those that their state allows; `may_get_link` says whether a link to sign in can be made.
 */
export interface Person {
  worker: string;
  name: string | null;
  email: string | null;
  state: "invited" | "unconfirmed" | "waiting" | "active" | "suspended" | "removed";
  groups: string[];
  recruited: boolean;
  mailed_at: string | null;
  withdrawn_at: string | null;
  erase_at: string | null;
  changes: ("approve" | "suspend" | "restore" | "remove")[];
  may_get_link: boolean;
}
/**
 * A page of people. `left` more come after it: `after` asks for the next page where there are any.
 */
export interface PeoplePage {
  people: Person[];
  left: number;
  after: string | null;
}
/**
 * A group, and how many are in it.
 */
export interface GroupSize {
  name: string;
  people: number;
}
/**
 * A state, and how many people have it.
 */
export interface StateSize {
  state: "invited" | "unconfirmed" | "waiting" | "active" | "suspended" | "removed";
  people: number;
}
/**
 * A link by which several people can join. Its token is not kept; `id` names it.
 */
export interface OpenLink {
  id: string;
  joined: number;
  places: number;
  expires_at: string;
  domain: string | null;
  needs_approval: boolean;
  group: string | null;
}
/**
 * All people in numbers, and the open links. `mails`: letters can be sent from here.
 */
export interface Crowd {
  states: StateSize[];
  groups: GroupSize[];
  links: OpenLink[];
  mails: boolean;
}
/**
 * A link that is shown once.
 */
export interface Link {
  link: string;
}
/**
 * The person who was invited. `link` is null where it went out by e-mail.
 */
export interface Invited {
  worker: string;
  name: string;
  link: string | null;
}
/**
 * A line of a list that cannot be used, and the reason.
 */
export interface LineFault {
  line: number;
  reason: string;
}
/**
 * A person as a list has them.
 */
export interface ListedPerson {
  name: string;
  email: string | null;
  groups: string[];
}
/**
 * A list before it is imported: how many would be added, the first of them all, and the first faults.
 */
export interface ListPreview {
  added: number;
  here: number;
  repeated: number;
  first: ListedPerson[];
  faults: LineFault[];
  more_faults: number;
}
/**
 * The outcome of an import.
 */
export interface Imported {
  added: number;
  here: number;
  repeated: number;
}
/**
 * An invitation of `who`: a worker id, an e-mail address or a name. Somebody new is added, with the `name`.
 */
export interface Invitation {
  who: string;
  name: string;
  days: number;
  by_mail: boolean;
}
/**
 * The terms of a link for several people.
 */
export interface OpenLinkTerms {
  places: number;
  days: number;
  domain: string;
  needs_approval: boolean;
  group: string;
}
/**
 * The link that nobody can use any more, by its id.
 */
export interface ClosedLink {
  id: string;
}
/**
 * A file with people. `content` is in base64; `group` is for everybody on it.
 */
export interface SentList {
  file: string;
  content: string;
  group: string;
}
/**
 * Workers who join or leave a group.
 */
export interface GroupMembers {
  /**
   * @minItems 1
   * @maxItems 100
   */
  workers: [string, ...string[]];
  change: "add" | "remove";
  group: string;
}
/**
 * A change of state. `confirmation` is the worker's id once more: a removal has to be typed.
 */
export interface StateChange {
  /**
   * @minItems 1
   * @maxItems 100
   */
  workers: [string, ...string[]];
  change: "approve" | "suspend" | "restore" | "remove";
  confirmation: string;
}
/**
 * The worker who gets a link to sign in.
 */
export interface LinkFor {
  worker: string;
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
 * A lead's decision on a HIT on hold. `category` is the crowd's name for a kind of rejection.
 */
export interface HeldDecision {
  assignment: string;
  pays: boolean;
  reason: string;
  category: string | null;
}
/**
 * The answer to a letter; `upheld` decides an appeal, and is null for a message.
 */
export interface Answer {
  letter: string;
  text: string;
  upheld: boolean | null;
}
/**
 * The verdicts that count in a reviewer's view of workers.
 */
export interface Results {
  all: boolean;
}
export interface Credentials {
  name: string;
  password: string;
}
