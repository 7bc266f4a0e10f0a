/** Written by `make webapp` from beat_the_ai.kinds.quizbowl.tournament.views and beat_the_ai.kinds.quizbowl.tournament.messages: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  ListedRoom: ListedRoom;
  ListedRooms: ListedRooms;
  Match: Match;
  Standing: Standing;
  Floor: Floor;
  ShownBuzz: ShownBuzz;
  CountedBuzz: CountedBuzz;
  Tossup: Tossup;
  ModelGuess: ModelGuess;
  Played: Played;
  Reading: Reading;
  ShownProtest: ShownProtest;
  PresentTeam: PresentTeam;
  People: People;
  You: You;
  PublicView: PublicView;
  ModeratorView: ModeratorView;
  Reply: Reply;
  Problem: Problem;
  Watch: Watch;
  Join: Join;
  Moderate: Moderate;
  Ping: Ping;
  Buzz: Buzz;
  Say: Say;
  Protest: Protest;
  TakeChair: TakeChair;
  Happen: Happen;
}
/**
 * A room of the event.
 */
export interface ListedRoom {
  room: string;
  teams: string[];
}
/**
 * The rooms that spectators choose from.
 */
export interface ListedRooms {
  rooms: ListedRoom[];
}
/**
 * The match of a room.
 */
export interface Match {
  room: string;
  teams: string[];
  models: string[];
  tossups: number;
  ended: boolean;
}
/**
 * The points of a team or a model, and the number of its answers by their outcome.
 */
export interface Standing {
  side: string;
  model: boolean;
  points: number;
  power: number;
  correct: number;
  interrupt: number;
  wrong: number;
}
/**
 * The player who answers now.
 */
export interface Floor {
  side: string;
  player: string;
}
/**
 * An answer, after how many words it came, and the ruling. `said` and `right` are null before the ruling.
 */
export interface ShownBuzz {
  side: string;
  player: string;
  word: number;
  said: string | null;
  right: boolean | null;
}
/**
 * An answer to a tossup that is over. `points` are null where the answer is void.
 */
export interface CountedBuzz {
  side: string;
  player: string;
  word: number;
  said: string | null;
  right: boolean | null;
  points: number | null;
}
/**
 * The tossup that is being read. `text` ends with the last word read.
 */
export interface Tossup {
  number: number;
  text: string;
  words_read: number;
  over: boolean;
  floor: Floor | null;
  buzzes: ShownBuzz[];
}
/**
 * The answer that a model had ready, and after how many words.
 */
export interface ModelGuess {
  model: string;
  word: number;
  says: string;
  right: boolean;
}
/**
 * A tossup that is over. `protested` are the sides whose answers were protested against.
 */
export interface Played {
  number: number;
  answer: string;
  category: string;
  adversarial: boolean;
  words: number;
  buzzes: CountedBuzz[];
  guesses: ModelGuess[];
  protested: string[];
}
/**
 * The tossup as its moderator reads it. `said` is the typed answer that waits for a ruling.
 */
export interface Reading {
  text: string;
  words: number;
  answer: string;
  aliases: string[];
  answer_line: string;
  said: string | null;
  said_is_a_name: boolean;
}
/**
 * A team's protest against a ruling on the answer of the side `against`.
 */
export interface ShownProtest {
  tossup: number;
  team: string;
  against: string;
  reason: string;
}
/**
 * A team, its code, and its players who are here.
 */
export interface PresentTeam {
  team: string;
  code: string;
  players: string[];
}
/**
 * The people in the room.
 */
export interface People {
  teams: PresentTeam[];
  spectators: number;
}
/**
 * The page itself. `chair` says who moderates, to pages of moderators alone.
 */
export interface You {
  role: "spectator" | "team" | "moderator";
  team: string | null;
  player: string | null;
  chair: ("yours" | "other" | "nobody") | null;
}
/**
 * The parts of a room that everybody sees; they change at different times.
 */
export interface PublicView {
  match: Match;
  standings: Standing[];
  tossup: Tossup | null;
  played: Played[];
}
/**
 * The parts of a room that only its moderator sees.
 */
export interface ModeratorView {
  reading: Reading | null;
  protests: ShownProtest[];
  people: People;
}
/**
 * The reply to a command: why it was refused, or null. `said` are the messages of the error.
 */
export interface Reply {
  key: string;
  error: string | null;
  said: {
    [k: string]: unknown;
  }[];
}
/**
 * The server does not let the page in, and why. `said` are the messages of the problem.
 */
export interface Problem {
  problem: string;
  said: {
    [k: string]: unknown;
  }[];
}
/**
 * A spectator.
 */
export interface Watch {
  role: "spectator";
  room: string;
}
/**
 * A player of the team that the code is for.
 */
export interface Join {
  role: "team";
  code: string;
  player: string;
}
/**
 * A page of the moderator's; `chair`: it takes the chair if nobody has it.
 */
export interface Moderate {
  role: "moderator";
  room: string;
  token: string;
  page: string;
  chair: boolean;
}
/**
 * Is anybody there?
 */
export interface Ping {
  act: "ping";
  key: string;
}
export interface Buzz {
  act: "buzz";
  key: string;
  tossup: number;
}
/**
 * The answer of the player who has the floor.
 */
export interface Say {
  act: "say";
  key: string;
  tossup: number;
  answer: string;
}
export interface Protest {
  act: "protest";
  key: string;
  tossup: number;
  against: string;
  reason: string;
}
export interface TakeChair {
  act: "take_chair";
  key: string;
}
/**
 * An event of the moderator's.
 */
export interface Happen {
  act: "happen";
  key: string;
  event: Begun | Read | Ruled | Closed | Settled | Ended;
}
/**
 * The moderator begins with the next tossup, counted from 1.
 */
export interface Begun {
  event: "begun";
  tossup: number;
}
/**
 * So many words of the tossup have been read.
 */
export interface Read {
  event: "read";
  tossup: number;
  words: number;
}
/**
 * The moderator's ruling on a team's answer. A later one on the same answer takes its place.
 */
export interface Ruled {
  event: "ruled";
  tossup: number;
  team: string;
  correct: boolean;
}
/**
 * The tossup is over, and nobody may buzz any more.
 */
export interface Closed {
  event: "closed";
  tossup: number;
}
/**
 * The outcome of a protest: whether the answer was correct after all.
 */
export interface Settled {
  event: "settled";
  tossup: number;
  against: string;
  correct: boolean;
}
/**
 * The match is over; only protests are settled after it.
 */
export interface Ended {
  event: "ended";
}
