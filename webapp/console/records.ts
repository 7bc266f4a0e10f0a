/** Written by `make webapp` from beat_the_ai.console.views and beat_the_ai.console.act_views and beat_the_ai.console.start_views: change these, not this file. */

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
  Campaign: Campaign;
  SignedIn: SignedIn;
  Rate: Rate;
  Step: Step;
  Course: Course;
  Effort: Effort;
  Checked: Checked;
  Review: Review;
  Away: Away;
  Screened: Screened;
  Gone: Gone;
  Held: Held;
  Needs: Needs;
  Money: Money;
  Bin: Bin;
  Pay: Pay;
  Arm: Arm;
  Progress: Progress;
  Stage: Stage;
  Split: Split;
  Round: Round;
  AnswerTimes: AnswerTimes;
  Model: Model;
  ForecastRow: ForecastRow;
  ForecastPart: ForecastPart;
  ShownForecast: ShownForecast;
  Figures: Figures;
  Person: Person;
  People: People;
  Coefficient: Coefficient;
  Validator: Validator;
  VotesPerWork: VotesPerWork;
  NoAgreement: NoAgreement;
  Agreement: Agreement;
  Balance: Balance;
  Short: Short;
  Line: Line;
  Lines: Lines;
  Verdict: Verdict;
  Feed: Feed;
  Tried: Tried;
  SentAct: SentAct;
  SentDeed: SentDeed;
  Possible: Possible;
  Job: Job;
  ExportFile: ExportFile;
  BackupFile: BackupFile;
  DataFiles: DataFiles;
  Acts: Acts;
  BestModels: BestModels;
  Setting: Setting;
  SettingsList: SettingsList;
  Estimated: Estimated;
  Fault: Fault;
  FilePreview: FilePreview;
  Done: Done;
  SentStart: SentStart;
  SentChoices: SentChoices;
  SentJob: SentJob;
  SentStop: SentStop;
  SentLook: SentLook;
  SentLaunch: SentLaunch;
  DraftLine: DraftLine;
  UnreadableDraft: UnreadableDraft;
  Starts: Starts;
  PresetChoice: PresetChoice;
  ModelChoice: ModelChoice;
  PilotChoice: PilotChoice;
  FieldFault: FieldFault;
  Defaults: Defaults;
  StartDraft: StartDraft;
  Launched: Launched;
}
/**
 * Nobody has signed in.
 */
export interface SignedOut {
  reviewer: null;
}
/**
 * A campaign of somebody who has signed in, under its key in addresses, with their role and its rights.
 */
export interface Campaign {
  key: string;
  id: string;
  place: string;
  role: Role;
  rights: Right[];
}
/**
 * The reviewer who has signed in, and the token that every change must carry. `may_start` a campaign here.
 *
 * `away` are the places of campaigns whose store does not answer, for those who may start one.
 */
export interface SignedIn {
  reviewer: string;
  may_start: boolean;
  form_token: string;
  campaigns: Campaign[];
  away: string[];
}
/**
 * The `share` of `found` among `of`, with its 95% interval; null where there are none.
 *
 * An interval over clusters, such as writers, needs two of them.
 */
export interface Rate {
  found: number;
  of: number;
  share: number | null;
  low: number | null;
  high: number | null;
}
/**
 * A step of time that begins `at`: the rates of the HITs submitted in it, and of all until its end.
 */
export interface Step {
  at: string;
  unverified: Rate;
  verified: Rate;
  unverified_until_then: Rate;
  verified_until_then: Rate;
}
/**
 * The model's error rates over time, in steps of `seconds`, and those of the whole campaign.
 */
export interface Course {
  seconds: number;
  steps: Step[];
  unverified: Rate;
  verified: Rate;
}
/**
 * The tries and minutes for a win that others verified, in HITs that are decided.
 */
export interface Effort {
  wins: number;
  tries_mean: number;
  tries_median: number;
  minutes_mean: number;
  minutes_median: number;
}
/**
 * Works with a final status, how many of them are kept, and those that wait for votes.
 */
export interface Checked {
  works: string;
  kept_as: string;
  kept: Rate;
  votes: number;
  votes_saved: number;
  waiting: number;
}
/**
 * HITs in the review sample, and how many of them were judged and accepted.
 */
export interface Review {
  sampled: number;
  reviewed: number;
  accepted: number;
}
/**
 * A model of the pool whose server does not answer.
 */
export interface Away {
  member: string;
  since: string;
}
/**
 * The screenings that newcomers have begun, submitted and passed.
 */
export interface Screened {
  begun: number;
  submitted: number;
  passed: number;
}
/**
 * The operator of a stage that died though HITs are open. `stage` names round and share, too.
 */
export interface Gone {
  stage: string;
  operator: string;
}
/**
 * HITs that are not paid by themselves, why, and what they would cost, with fees.
 */
export interface Held {
  what: string;
  hits: number;
  cents: number;
}
/**
 * The work that needs a person, by kind.
 */
export interface Needs {
  to_review: number;
  candidates: number;
  doubtful: number;
  proposals: number;
  letters: number;
  letters_overdue: number;
  payments_unknown: number;
  models_away: Away[];
  operators_gone: Gone[];
  held: Held[];
}
/**
 * Amounts are US cents with fees. `reserved_cents` are set aside for the rewards of open HITs.
 */
export interface Money {
  paid_cents: number;
  owed_cents: number;
  models_cents: number;
  reserved_cents: number;
  beside_cents: number;
  cap_cents: number;
}
/**
 * The assignments whose pay by the hour is at least `from_cents`, and below the next bin's.
 */
export interface Bin {
  from_cents: number;
  assignments: number;
}
/**
 * The pay by the hour: quartiles and median over assignments, and their distribution. The last bin has no end.
 */
export interface Pay {
  assignments: number;
  lower_cents: number;
  median_cents: number;
  upper_cents: number;
  width_cents: number;
  bins: Bin[];
}
/**
 * An arm of the current round: the workers drawn into it, the HITs of theirs that count, and the error rate.
 */
export interface Arm {
  name: string;
  workers: number;
  hits: number;
  unverified: Rate;
}
/**
 * The progress of a campaign, as `status` has it. `served` are stages; null where that cannot be told.
 */
export interface Progress {
  simulated: boolean;
  round: number;
  closed_at: string | null;
  paused_at: string | null;
  served: string[] | null;
  hits: number;
  hits_submitted: number;
  workers: number;
  workers_revoked: number;
  writers_discarded: number;
  attempts: number;
  retracted: number;
  fooled: number;
  models: string[];
  screened: Screened;
  arms: Arm[];
  checked: Checked | null;
  review: Review;
}
/**
 * A stage of a round that people have been told the terms of.
 */
export interface Stage {
  name: string;
  since: string;
}
/**
 * The progress of one part of a round. Attempts and works are without discarded ones; HITs are with them.
 *
 * `verified` of the `decided` works are kept; `waiting` ones want votes.
 */
export interface Split {
  part: string;
  contexts: number;
  hits: number;
  hits_at_work: number;
  hits_submitted: number;
  attempts: number;
  fooled: number;
  verified: number;
  decided: number;
  waiting: number;
}
/**
 * A round of a campaign, its models by their names in the pool, and its progress by part.
 */
export interface Round {
  number: number;
  opened_at: string;
  closed_at: string | null;
  stages: Stage[];
  models: string[];
  validation_at_work: number;
  splits: Split[];
}
/**
 * The milliseconds for which writers waited, of so many answers, which took `sum` together.
 *
 * `within` counts the answers within each of `ANSWER_MS`.
 */
export interface AnswerTimes {
  median: number;
  p95: number;
  answers: number;
  sum: number;
  within: number[];
}
/**
 * A model of the pool: its `share` of all attempts, its error rates, failures and cost.
 *
 * `away_since`: its server does not answer; null where it does, or nobody serves the campaign.
 */
export interface Model {
  member: string;
  name: string;
  hash: string;
  attempts: number;
  share: number | null;
  unverified: Rate;
  verified: Rate;
  answer_ms: AnswerTimes | null;
  failures: number;
  cents: number;
  away_since: string | null;
}
/**
 * A figure that was forecast, with its 90% interval, and what came of it, in words.
 *
 * `outcome` is null before there is any; `is_within` says whether it lies within the interval.
 */
export interface ForecastRow {
  what: string;
  value: string;
  interval: string;
  outcome: string | null;
  is_within: boolean | null;
}
/**
 * A part of a forecast, such as its cost.
 */
export interface ForecastPart {
  title: string;
  rows: ForecastRow[];
}
/**
 * A forecast in words. `target` is the reward that comes to the wished pay by the hour, in `target_cents`.
 */
export interface ShownForecast {
  made: string;
  parts: ForecastPart[];
  target: string | null;
  target_cents: number | null;
  assumptions: string[];
}
/**
 * The figures of a campaign as they were `at` a moment. Newer ones are there `again_seconds` from now, if any.
 *
 * `unit` is that of all amounts. `needs` is null for somebody who settles nothing.
 */
export interface Figures {
  campaign: string;
  at: string;
  again_seconds: number | null;
  words: Words;
  unit: string;
  progress: Progress;
  rounds: Round[];
  models: Model[];
  needs: Needs | null;
  course: Course;
  effort: Effort | null;
  money: Money;
  pay: Pay | null;
  forecast: ShownForecast | null;
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
 * A worker under a pseudonym; leads have the worker's id, too.
 *
 * `attempts` are all that count; `unverified` and `verified` are without what was taken back or discarded.
 */
export interface Person {
  name: string;
  worker: string | null;
  attempts: number;
  wins: number;
  unverified: Rate;
  verified: Rate;
  minutes_per_win: number | null;
  hourly_cents: number | null;
  standing: Standing | null;
  last_seen_at: string;
}
/**
 * A page of all workers, in the order that was asked for.
 */
export interface People {
  at: string;
  again_seconds: number | null;
  words: Words;
  unit: string;
  all: number;
  page: number;
  pages: number;
  people: Person[];
}
/**
 * A coefficient of agreement with its 95% interval, as the report has it; null where the votes say nothing.
 */
export interface Coefficient {
  name: string;
  value: number | null;
  low: number | null;
  high: number | null;
  unit: string;
}
/**
 * A validator under a pseudonym; leads have the worker's id, too.
 *
 * `with_outcome` are the votes that say what the majority does. `counts`: so do the votes.
 */
export interface Validator {
  name: string;
  worker: string | null;
  hits: number;
  votes: number;
  with_outcome: Rate;
  gold: Rate;
  counts: boolean;
}
/**
 * The works that have so many votes that count.
 */
export interface VotesPerWork {
  votes: number;
  works: number;
}
/**
 * Nobody checks what is written.
 */
export interface NoAgreement {
  at: string;
  again_seconds: number | null;
  validators: null;
}
/**
 * The agreement of validators, and a page of them. `waiting` works want more votes.
 */
export interface Agreement {
  at: string;
  again_seconds: number | null;
  words: Words;
  votes: number;
  votes_saved: number;
  kept: Rate;
  kept_as: string;
  waiting: number;
  unreliable: number;
  gold: Rate;
  coefficients: Coefficient[];
  by_votes: VotesPerWork[];
  all: number;
  page: number;
  pages: number;
  validators: Validator[];
}
/**
 * The money at the crowd, asked `at` a moment; null where the crowd could not be asked, or has none.
 *
 * `away` says why it could not be asked.
 */
export interface Balance {
  cents: number | null;
  at: string | null;
  away: string | null;
}
/**
 * The figures of a campaign in one line.
 *
 * `needs` counts what waits for a person, and is null for somebody who settles nothing.
 */
export interface Short {
  round: number;
  closed: boolean;
  hits: number;
  hits_submitted: number;
  attempts: number;
  unverified: Rate;
  used_cents: number;
  cap_cents: number;
  unit: string;
  needs: number | null;
}
/**
 * A campaign in the list of all; null figures are still being made.
 */
export interface Line {
  key: string;
  served: string[] | null;
  figures: Short | null;
}
/**
 * The campaigns that somebody may see the console of.
 */
export interface Lines {
  lines: Line[];
}
/**
 * A verdict in the feed. `label` is the writer's, where the kind of task has labels; `category` is the context's.
 *
 * `worker` is a pseudonym for somebody who does not judge. `held`: it waits for a person. `divided`: the votes on it
 * differ.
 */
export interface Verdict {
  attempt: string;
  at: string;
  worker: string;
  model: string;
  member: string;
  text: string;
  title: string;
  label: string | null;
  category: string;
  fooled: boolean;
  retracted: boolean;
  counts: boolean;
  held: boolean;
  votes: number;
  divided: boolean;
}
/**
 * Verdicts, the newest first. Older ones are those `before` that place, if there are any.
 *
 * `models`, `labels` and `categories` are what can be asked for.
 */
export interface Feed {
  verdicts: Verdict[];
  before: string | null;
  words: Words;
  models: string[];
  labels: string[];
  categories: string[];
}
/**
 * A HIT with everything that its writer wrote and tried, and what became of it and of its writer.
 *
 * `shown` is the attempt that was asked for. `sampled`: reviewers judge the HIT. `edits` counts the drafts that the
 * model has seen. Somebody who does not judge is shown the work alone: the worker under a pseudonym, without feedback,
 * signs, reviews and decisions.
 */
export interface Tried {
  shown: string;
  assignment: string;
  worker: string;
  words: Words;
  context: Context;
  accepted_at: string;
  submitted_at: string | null;
  state: "counts" | "set_aside" | "not_handed_in" | "not_confirmed";
  feedback: string | null;
  edits: number;
  attempts: Attempt[];
  sampled: boolean;
  verdicts: Verdicts | null;
  history: StandingEvent[];
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
 * The verdicts on a HIT, as one reviewer may see them.
 *
 * `others` are empty until `mine` stands; `judged_by_others` only says that there are some.
 */
export interface Verdicts {
  mine: Review1 | null;
  others: Review1[];
  judged_by_others: boolean;
}
/**
 * A reviewer's verdict on a HIT.
 */
export interface Review1 {
  reviewer: string;
  verdict: "accept" | "reject";
  reason: string;
  at: string;
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
 * An act with its values, by their names.
 */
export interface SentAct {
  action: string;
  values: {
    [k: string]: unknown;
  };
}
/**
 * An act that a person has agreed to. The same `request` once more is answered with the same report.
 *
 * `agreed_cents` is the worst case that was shown; null if nothing was. `sha256` is of the file that was previewed.
 */
export interface SentDeed {
  action: string;
  values: {
    [k: string]: unknown;
  };
  request: string;
  agreed_cents: number | null;
  sha256: string | null;
}
/**
 * An act, on a stage or a round if it needs one, and the values that a page may give it.
 *
 * `refusal` says why it cannot be done now.
 */
export interface Possible {
  action: string;
  stage: string | null;
  number: number | null;
  fields: string[];
  refusal: string | null;
}
/**
 * The last run of a process that was started. One that stands `killed` may be started again.
 *
 * `stopped_by` is who wanted it stopped.
 */
export interface Job {
  name: string;
  stands: "running" | "done" | "failed" | "killed" | "stopped";
  by: string;
  began_at: string;
  ended_at: string | null;
  exit_status: number | null;
  log_tail: string[];
  stopped_by: string | null;
}
/**
 * The newest export: when it was written, and its size.
 */
export interface ExportFile {
  at: string;
  bytes: number;
}
/**
 * The newest backup: when it was made, and the name of its file on the server.
 */
export interface BackupFile {
  at: string;
  name: string;
}
/**
 * The files of a campaign's data; null before there is one. `jobs` write them.
 *
 * `again_seconds`: one runs, so look again then.
 */
export interface DataFiles {
  export: ExportFile | null;
  backup: BackupFile | null;
  jobs: Job[];
  again_seconds: number | null;
}
/**
 * The acts of a campaign, its jobs, and the newest entries of the log about both.
 *
 * `members` are the models that a round can be played against. `again_seconds`: a job runs, so look again then.
 */
export interface Acts {
  acts: Possible[];
  jobs: Job[];
  members: string[];
  log: LogEntry[];
  unit: string;
  words: Words;
  again_seconds: number | null;
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
 * The trained models that are measured best, and those that no test tells apart from the first.
 *
 * `refusal` says why there are none, such as a model that was not measured.
 */
export interface BestModels {
  models: string[];
  refusal: string | null;
}
/**
 * A setting as KEY=VALUE has it. `may_change` here; `reason` says why, or why not.
 */
export interface Setting {
  key: string;
  value: string;
  may_change: boolean;
  reason: string;
  takes_effect: string;
}
/**
 * All settings of a campaign.
 */
export interface SettingsList {
  settings: Setting[];
}
/**
 * The cost of an act; null for nothing.
 */
export interface Estimated {
  estimate: Estimate | null;
}
/**
 * The cost of an act. Amounts are hundredths of `unit` with fees.
 *
 * `before_cents` and `worst_cents` are the most that the whole campaign may cost without the act and with it.
 * `balance_cents` is None if the crowd was not asked. `lines` say the same and more in words, `notes` what a person
 * should know. `needs_consent` says that it may cost more than before, so a person has to agree. `refusal` says why it
 * cannot be done.
 */
export interface Estimate {
  title: string;
  unit: string;
  lines: Line1[];
  notes: string[];
  before_cents: number;
  worst_cents: number;
  cap_cents: number;
  balance_cents: number | null;
  needs_consent: boolean;
  refusal: string | null;
}
/**
 * A line of an estimate in words.
 */
export interface Line1 {
  name: string;
  value: string;
  is_total: boolean;
}
/**
 * A fault of a file, and its place in it.
 */
export interface Fault {
  place: string;
  message: string;
}
/**
 * A file of contexts: so many are `new`, `there` already, or `repeated`. With `faults` none is offered.
 */
export interface FilePreview {
  sha256: string;
  new: number;
  there: number;
  repeated: number;
  faults: Fault[];
  estimate: Estimate | null;
}
/**
 * A report of an act in words. `has_changed` is false if it was so already.
 */
export interface Done {
  has_changed: boolean;
  told: string;
}
/**
 * A campaign that is begun as a draft. The same `request` once more is the same draft.
 */
export interface SentStart {
  request: string;
  task: string;
}
/**
 * The choices of a draft, whose last `revision` the page has seen.
 */
export interface SentChoices {
  revision: number;
  choices: Choices;
}
/**
 * The choices for a campaign, as texts that a person has written. An empty one leaves what the task has.
 *
 * `task`, `preset` and `model` are names. Amounts are in the unit of the crowd. `minutes` is how long a HIT takes;
 * `hourly` is the pay by the hour that the reward is worked out from. `pilot` is a campaign of the console, by its
 * key, to forecast from; empty for the rehearsal. `others` are KEY=VALUE, one a line.
 */
export interface Choices {
  task: string;
  name: string;
  preset: string;
  model: string;
  crowd: string;
  has_file: boolean;
  has_consent: boolean;
  reward: string;
  hits: string;
  cap: string;
  hourly: string;
  minutes: string;
  pilot: string;
  workspace: string;
  person: string;
  finish_url: string;
  done: string;
  others: string;
}
/**
 * A job that is to be done for a draft.
 */
export interface SentJob {
  job: "rehearsal" | "check";
}
/**
 * A run of a job that is to be stopped, by the time at which it began.
 */
export interface SentStop {
  job: "rehearsal" | "check";
  began_at: string;
}
/**
 * A look at what a launch may cost. The page has seen the draft's last `revision`.
 */
export interface SentLook {
  revision: number;
}
/**
 * A launch that a person has agreed to, with the `revision` and worst case shown. A draft is launched once.
 */
export interface SentLaunch {
  revision: number;
  agreed_cents: number;
}
/**
 * A draft in the list of all. `campaign` is the key of what it was launched as, if it was.
 */
export interface DraftLine {
  id: string;
  name: string;
  task: string;
  by: string;
  changed_at: string;
  campaign: string | null;
}
/**
 * A draft whose file cannot be read, with its fault in words.
 */
export interface UnreadableDraft {
  id: string;
  fault: string;
}
/**
 * The drafts of a console, and the tasks that a campaign may be of.
 */
export interface Starts {
  drafts: DraftLine[];
  unreadable: UnreadableDraft[];
  tasks: string[];
}
/**
 * A preset that may be chosen.
 */
export interface PresetChoice {
  name: string;
  title: string;
}
/**
 * A configuration of models that may be chosen, with figures in words; null where there are none.
 */
export interface ModelChoice {
  name: string;
  members: string[];
  published: string | null;
  checked: string | null;
}
/**
 * A campaign of the same kind of task that may be forecast from, by its key.
 */
export interface PilotChoice {
  key: string;
  id: string;
  simulated: boolean;
}
/**
 * A fault of a choice, by the name of its field.
 */
export interface FieldFault {
  field: string;
  message: string;
}
/**
 * The values of choices that are left empty, in words.
 */
export interface Defaults {
  reward: string;
  hits: string;
  cap: string;
  model: string;
}
/**
 * A draft, what may be chosen for it, its faults, and what it would cost.
 *
 * `has_keys` says whether the keys of the crowd are there; null where that cannot be told yet. `yaml` is what a file
 * has, below the command that does the same. `is_rehearsed` says whether the last rehearsal was of these choices,
 * `is_forecast` whether the forecast is of this plan. A job runs: look again in `again_seconds`.
 */
export interface StartDraft {
  id: string;
  revision: number;
  by: string;
  changed_at: string;
  choices: Choices;
  contexts: KeptContexts | null;
  campaign: string | null;
  words: Words | null;
  unit: string;
  tasks: string[];
  presets: PresetChoice[];
  models: ModelChoice[];
  pilots: PilotChoice[];
  defaults: Defaults | null;
  faults: FieldFault[];
  has_keys: boolean | null;
  estimate: Estimate | null;
  yaml: string;
  jobs: Job[];
  is_rehearsed: boolean;
  forecast: ShownForecast | null;
  is_forecast: boolean;
  again_seconds: number | null;
}
/**
 * A file of contexts that lies with the draft.
 */
export interface KeptContexts {
  name: string;
  sha256: string;
  number: number;
}
/**
 * A report of a launch in words, with the campaign's key.
 */
export interface Launched {
  campaign: string;
  told: string;
}
