import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLiveServer, type LiveServer } from "./live-server.ts";

const EXAMPLE = join(import.meta.dirname, "../../../../examples/follow-thread.ts");
const WAIT = { timeout: 20_000 };

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

test("the example of an app follows a thread over a cut line and speaks in it", async () => {
  const [ada, bea] = [await server.person("Ada"), await server.person("Bea")];
  const chat = (method: string, body: object) => server.call(`chat.v1.ChatService/${method}`, body, ada.token);
  const threadId = (await chat("CreateThread", { memberIds: [bea.id] })).body.thread.id;
  await chat("SendMessage", { threadId, text: "before" });
  const app = spawn(process.execPath, [EXAMPLE], {
    env: { PATH: process.env.PATH, FOLLOWSPOT_URL: server.base, FOLLOWSPOT_TOKEN: bea.token },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  let said = "";
  app.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  app.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  try {
    await expect.poll(() => printed + said, WAIT).toContain("Ada: before");
    server.cutLines();
    await chat("SendMessage", { threadId, text: "during" });
    await expect.poll(() => printed, WAIT).toContain("Ada: during");
    app.stdin.write("and I answer\n");
    await expect.poll(() => printed, WAIT).toBe("Ada: before\nAda: during\nBea: and I answer\n");
  } finally {
    app.kill();
  }
});
