import { afterEach, expect, test, vi } from "vitest";

import { get, send } from "./api";

afterEach(() => vi.unstubAllGlobals());

test("a change whose answer is lost is never said to have changed nothing", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("the network is gone")));
  await expect(get("api/session")).rejects.toThrow(/online\?$/);
  await expect(send("api/acts/deeds", "{}", "application/json", "token")).rejects.toThrow("may have arrived");
});
