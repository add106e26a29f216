import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { streamsProblem } from "./workers.queries.ts";

describe("streamsProblem", () => {
  it("reports missing permission", () => {
    expect(streamsProblem(new ConnectError("no", Code.PermissionDenied))).toContain("You may not see this");
  });

  it("names NATS if the server reports an unavailable broker", () => {
    const text = streamsProblem(new ConnectError("no broker", Code.Unavailable));
    expect(text).toBe("Failed to load queue data. Make sure NATS is running.");
  });

  it("reports an unavailable endpoint for any other error", () => {
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
