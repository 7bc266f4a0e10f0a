/** What the server tells and takes. What players type is shown as text and never as anything else. */

export type Hello =
  | { role: "spectator"; room: string }
  | { role: "team"; code: string; player: string }
  | { role: "moderator"; room: string; token: string; page: string; chair: boolean };

export type ModeratorEvent =
  | { event: "begun"; tossup: number }
  | { event: "read"; tossup: number; words: number }
  | { event: "ruled"; tossup: number; team: string; correct: boolean }
  | { event: "closed"; tossup: number }
  | { event: "settled"; tossup: number; against: string; correct: boolean }
  | { event: "ended" };

export type Command =
  | { act: "ping" }
  | { act: "buzz"; tossup: number }
  | { act: "say"; tossup: number; answer: string }
  | { act: "protest"; tossup: number; against: string; reason: string }
  | { act: "take_chair" }
  | { act: "happen"; event: ModeratorEvent };

/** `right` is null, and `said` hidden, until the moderator has ruled. `points` are null where the answer is void. */
export interface Buzz {
  side: string;
  player: string;
  word: number;
  said: string | null;
  right: boolean | null;
  points?: number | null;
}

export interface Tossup {
  number: number;
  text: string;
  words_read: number;
  over: boolean;
  floor: { side: string; player: string } | null;
  buzzes: readonly Buzz[];
}

export interface Played {
  number: number;
  answer: string;
  category: string;
  adversarial: boolean;
  words: number;
  buzzes: readonly Buzz[];
  guesses: readonly { model: string; word: number; says: string; right: boolean }[];
  protested: readonly string[];
}

export interface Standing {
  side: string;
  model: boolean;
  points: number;
  power: number;
  correct: number;
  interrupt: number;
  wrong: number;
}

export interface Match {
  room: string;
  teams: readonly string[];
  models: readonly string[];
  tossups: number;
  ended: boolean;
}

export interface Reading {
  text: string;
  words: number;
  answer: string;
  aliases: readonly string[];
  answer_line: string;
  said: string | null;
  said_is_a_name: boolean;
}

export interface Protest {
  tossup: number;
  team: string;
  against: string;
  reason: string;
}

export interface You {
  role: Hello["role"];
  team: string | null;
  player: string | null;
  chair: "yours" | "other" | "nobody" | null;
}

/** What everybody sees; the parts after `played` are the moderator's. */
export interface RoomState {
  you: You;
  match: Match;
  standings: readonly Standing[];
  tossup: Tossup | null;
  played: readonly Played[];
  reading?: Reading | null;
  protests?: readonly Protest[];
  people?: { teams: readonly { team: string; code: string; players: readonly string[] }[]; spectators: number };
}

export type Message =
  | { problem: string }
  | { replies: readonly { key: string; error: string | null }[]; state: Partial<RoomState> };
