import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { startLiveServer } from "./live-server.ts";
import { folderUntil, openUntil } from "./open-until.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startLiveServer({ dataDir }));

/** Starts an example and collects its output. */
function start(program: string, file: string, token: string) {
  const app = spawn(program, [join(ROOT, "examples", file)], {
    env: { PATH: process.env.PATH, FOLLOWSPOT_URL: server.base, FOLLOWSPOT_TOKEN: token },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void app.kill());
  const told = { app, printed: "", said: "", code: undefined as number | null | undefined };
  app.stdout.on("data", (chunk: Buffer) => (told.printed += chunk.toString()));
  app.stderr.on("data", (chunk: Buffer) => (told.said += chunk.toString()));
  app.on("exit", (code) => (told.code = code));
  return told;
}

test("the example app follows a thread across a reconnection and writes to it", async () => {
  const [ada, bea] = [await server.person("Ada"), await server.person("Bea")];
  const chat = (method: string, body: object) => server.call(`chat.v1.ChatService/${method}`, body, ada.token);
  const threadId = (await chat("CreateThread", { memberIds: [bea.id] })).body.thread.id;
  await chat("SendMessage", { threadId, text: "before" });
  const told = start(process.execPath, "follow-thread.ts", bea.token);
  await expect.poll(() => told.printed + told.said).toContain("Ada: before");
  server.cutConnections();
  await chat("SendMessage", { threadId, text: "during" });
  await expect.poll(() => told.printed).toContain("Ada: during");
  told.app.stdin.write("and I answer\n");
  await expect.poll(() => told.printed).toBe("Ada: before\nAda: during\nBea: and I answer\n");
});

test.skipIf(!hasPython)("the Python example lists songs and follows them across a reconnection", async () => {
  const { token } = await server.person("Dora", ["Admin"]);
  const songs = (method: string, body: object) => server.call(`music.v1.MusicService/${method}`, body, token);
  const songId = (await songs("CreateSong", { title: "Night Drive", artist: "Öz", ytid: "aaaaaaaaaa1" })).body.song.id;
  const told = start("python3", "python/follow_songs.py", token);
  await expect.poll(() => told.printed + told.said).toBe("(1 songs: Öz - Night Drive)\n");
  await songs("UpdateSong", { songId, title: "Day Drive ".repeat(20).trim() });
  await expect.poll(() => told.printed).toMatch(/Öz - (Day Drive ?){20}: song\.updated\n$/);
  server.cutConnections();
  await expect.poll(() => told.said).toContain("the connection is lost");
  await expect.poll(() => told.printed).toMatch(/\(1 songs: Öz - Day Drive[^)]*\)\n$/);
  await songs("UpdateSong", { songId, title: "Home" });
  await expect.poll(() => told.printed).toMatch(/Öz - Home: song\.updated\n$/);
});

test.skipIf(!hasPython)("the Python example exits with a message if its token is invalid", async () => {
  const told = start("python3", "python/follow_songs.py", "nothing");
  await expect.poll(() => told.code).toBe(1);
  expect(told.said).toBe("The token is not good, or not any more. Make a new one. (unauthenticated)\n");
});
