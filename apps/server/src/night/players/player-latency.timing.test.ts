import { afterAll, expect, onTestFinished, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { TestPlayer } from "../../testing/test-player.ts";
import { startTestServer } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer({ dataDir: await folderUntil(afterAll) }));

test("notifies a player of a press within 200 ms, median of 21 volume changes", async () => {
  const { token } = await server.person("Dora", ["Director"]);
  const sound = async (method: string, body: object) =>
    (await server.call(`sound.v1.SoundService/${method}`, body, token)).body.sound;
  const key = (await sound("CreatePlayerLink", {})).linkPath.split("#")[1];
  const player = new TestPlayer(server.base, { key });
  onTestFinished(() => player.close());
  await player.hears(() => true);

  const waits: number[] = [];
  for (let press = 1; press <= 21; press++) {
    const volume = press / 100;
    const pressedMs = performance.now();
    await Promise.all([
      sound("SetSound", { volume }),
      player.hears(({ settings }) => settings.volume === volume).then(() => waits.push(performance.now() - pressedMs)),
    ]);
  }
  expect(waits.toSorted((a, b) => a - b)[10]).toBeLessThan(200);
});
