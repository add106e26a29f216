import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { streamsProblem } from "./workers.queries.ts";

describe("streamsProblem", () => {
  it("tells a person who may not see it just that", () => {
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
