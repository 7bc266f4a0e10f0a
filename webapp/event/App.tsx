/** Who somebody is, by the address of the page. */

import { useSyncExternalStore } from "react";

import { Lobby } from "./Lobby";
import { ModeratorPage } from "./ModeratorPage";
import { routeOf } from "./route";
import { SpectatorPage } from "./SpectatorPage";
import { TeamPage } from "./TeamPage";

export function App() {
  const hash = useSyncExternalStore(listen, () => location.hash);
  const route = routeOf(hash);
  switch (route.at) {
    case "lobby":
      return <Lobby />;
    case "room":
      return <SpectatorPage key={hash} room={route.room} />;
    case "moderator":
      return <ModeratorPage key={hash} room={route.room} token={route.token} />;
    case "team":
      return <TeamPage key={hash} code={route.code} />;
  }
}

function listen(change: () => void): () => void {
  addEventListener("hashchange", change);
  return () => removeEventListener("hashchange", change);
}
