/** Where the page is. All of it stands behind the #: tokens and codes reach no server's log, and no other site. */

export type Route =
  | { at: "lobby" }
  | { at: "room"; room: string }
  | { at: "moderator"; room: string; token: string }
  | { at: "team"; code: string };

export function routeOf(hash: string): Route {
  const [, first, second, third, fourth] = hash.split("/");
  if (first === "rooms" && second && third === "moderate" && fourth) {
    return { at: "moderator", room: second, token: fourth };
  }
  if (first === "rooms" && second) {
    return { at: "room", room: second };
  }
  if (first === "join" && second) {
    return { at: "team", code: second };
  }
  return { at: "lobby" };
}

export function roomAddress(room: string): string {
  return `#/rooms/${room}`;
}

export function teamAddress(code: string): string {
  return `#/join/${encodeURIComponent(code.replace(/\s|\//g, ""))}`;
}
