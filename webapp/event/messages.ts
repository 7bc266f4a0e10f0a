/** The messages between a page and its room. What players type is shown as text and never as anything else. */

import type {
  Buzz,
  Happen,
  Join,
  Moderate,
  ModeratorView,
  Ping,
  Problem,
  Protest,
  PublicView,
  Reply,
  Say,
  TakeChair,
  Watch,
  You,
} from "./records";

export type Hello = Join | Moderate | Watch;
export type ModeratorEvent = Happen["event"];

type WithoutKey<Keyed> = Keyed extends unknown ? Omit<Keyed, "key"> : never;

/** What a page asks for; the connection gives it a key. */
export type Command = WithoutKey<Buzz | Happen | Ping | Protest | Say | TakeChair>;

/** What this page sees; the parts of the `ModeratorView` come to moderators alone. */
export type RoomState = PublicView & Partial<ModeratorView> & { you: You };

export type Message = Problem | { replies: readonly Reply[]; state: Partial<RoomState> };
