import type { AddressInfo } from "node:net";
import { STAGE_HEADERS } from "@followspot/contract";
import { expect, it, onTestFinished } from "vitest";
import { createStageHttp, type StageHttpPorts } from "./stage-http.ts";

// kept: Stage and lamps | An error within the stage ended the request without an answer or a log line | failed on the old code
it("answers a request that fails with status 500, and logs why", async () => {
  const warnings: string[] = [];
  const ports: Partial<StageHttpPorts> = {
    secret: "secret",
    health: () => Promise.reject(new Error("no outputs")),
    warn: (line) => warnings.push(line),
  };
  const server = createStageHttp(ports as StageHttpPorts); // the other ports are not used by this request
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/health`, { headers: { [STAGE_HEADERS.secret]: "secret" } });
  expect([answer.status, await answer.json()]).toEqual([500, { error: "the stage could not answer" }]);
  expect(warnings).toEqual(["GET /health failed: no outputs"]);
});
