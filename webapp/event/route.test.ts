import { describe, expect, it } from "vitest";

import { roomAddress, routeOf, teamAddress } from "./route";

describe("where the page is", () => {
  it("is told by what stands behind the #", () => {
    expect(routeOf("")).toEqual({ at: "lobby" });
    expect(routeOf("#/rooms/")).toEqual({ at: "lobby" });
    expect(routeOf(roomAddress("A"))).toEqual({ at: "room", room: "A" });
    expect(routeOf("#/rooms/A/moderate/x-_y")).toEqual({ at: "moderator", room: "A", token: "x-_y" });
    expect(routeOf("#/rooms/A/moderate/")).toEqual({ at: "room", room: "A" });
    expect(routeOf(teamAddress("BCDF GHJK"))).toEqual({ at: "team", code: "BCDFGHJK" });
  });
});
