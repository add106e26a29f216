import { describe, expect, it } from "vitest";
import { retryTarget } from "./failures.queries.ts";

describe("retryTarget", () => {
  it("takes the step from the subject", () => {
    const failure = { subject: "failures.songs.analysis", data: { song_id: "s1" } };
    expect(retryTarget(failure)).toEqual({ songId: "s1", step: "analysis" });
  });

  it("prefers the step the failure names itself", () => {
    const failure = { subject: "failures.songs.analysis", data: { song_id: "s1", step: "lighting" } };
    expect(retryTarget(failure)?.step).toBe("lighting");
  });

  it("returns undefined for a failure without a song or with an unknown step", () => {
    expect(retryTarget({ subject: "failures.songs.analysis", data: "not JSON" })).toBeUndefined();
    expect(retryTarget({ subject: "failures.songs.analysis", data: { song_id: 7 } })).toBeUndefined();
    expect(retryTarget({ subject: "failures.songs.rehearsal", data: { song_id: "s1" } })).toBeUndefined();
  });
});
