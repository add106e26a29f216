// @vitest-environment jsdom
import { createClient } from "@connectrpc/connect";
import { MusicService } from "@followspot/contract/music";
import { expect, test, vi } from "vitest";
import { errorText } from "./errors.ts";
import { transport } from "./transport.ts";

test("says that no answer came in the console's words, not the browser's", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const failure = await createClient(MusicService, transport).getSong({ songId: "s1" }).catch(errorText);
  expect(failure).toBe("[unavailable] the server cannot be reached");
  vi.unstubAllGlobals();
});
