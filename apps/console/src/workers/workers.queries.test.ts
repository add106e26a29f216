import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { retryTarget, streamsProblem } from "./workers.queries.ts";

describe("retryTarget", () => {
  it("takes the step from the subject", () => {
    const failure = { subject: "failures.songs.analysis", data: { song_id: "s1" } };
    expect(retryTarget(failure)).toEqual({ songId: "s1", step: "analysis" });
  });

  it("prefers the step the failure names itself", () => {
    const failure = { subject: "failures.songs.analysis", data: { song_id: "s1", step: "lighting" } };
    expect(retryTarget(failure)?.step).toBe("lighting");
  });

  it("offers nothing for a failure without a song or with an unknown step", () => {
    expect(retryTarget({ subject: "failures.songs.analysis", data: "not JSON" })).toBeUndefined();
    expect(retryTarget({ subject: "failures.songs.analysis", data: { song_id: 7 } })).toBeUndefined();
    expect(retryTarget({ subject: "failures.songs.rehearsal", data: { song_id: "s1" } })).toBeUndefined();
  });
});

describe("streamsProblem", () => {
  it("tells somebody who may not see it just that", () => {
    expect(streamsProblem(new ConnectError("no", Code.PermissionDenied))).toContain("You may not see this");
  });

  it("points at NATS when the server answers that its broker does not", () => {
    const text = streamsProblem(new ConnectError("no broker", Code.Unavailable));
    expect(text).toBe("Failed to load queue data. Make sure NATS is running.");
  });

  it("says the endpoint is unavailable when there is no such answer", () => {
    expect(streamsProblem(new ConnectError("HTTP 404", Code.Unimplemented))).toBe("Queue stats endpoint unavailable");
    const offline = new ConnectError(
      "unreachable",
      Code.Unavailable,
      undefined,
      undefined,
      new TypeError("fetch failed"),
    );
    expect(streamsProblem(offline)).toBe("Queue stats endpoint unavailable");
  });
});
