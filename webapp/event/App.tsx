/** Who somebody is, by the address of the page. */

import { useHash } from "../src/address/hash";
import { Lobby } from "./Lobby";
import { ModeratorPage } from "./ModeratorPage";
import { routeOf } from "./route";
import { SpectatorPage } from "./SpectatorPage";
import { TeamPage } from "./TeamPage";

export function App() {
  const hash = useHash();
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
