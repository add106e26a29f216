import { parsRig, planLive, type LivePlan } from "@followspot/lighting";
import { expect, it, onTestFinished } from "vitest";
import { until, type Packet } from "../testing/dmx-node.ts";
import { framesOf, mostFlashes } from "../testing/flash-watcher.ts";
import { headersOf, openHouse, openStage, outputTo } from "../testing/house.ts";
import { liveOf } from "../testing/plans.ts";
import { listenPunctually } from "../testing/punctual-node.ts";
import { SoundConnection } from "../testing/sound-connection.ts";
import { clicks, drumLoop, noiseBursts, silence, square, TEST_RATE } from "../testing/sounds.ts";
import { openUntil } from "../../testing/open-until.ts";

const LAMPS = 4;

const inTurn = (...sounds: Float32Array[]) => Float32Array.from(sounds.flatMap((sound) => [...sound]));
const struck = [clicks(20, 1.3), noiseBursts(8, 1.3), silence(0.3), square(100, 12, 1.3)];
const turns = [silence(2.2), noiseBursts(3.3, 1), silence(0.2), square(50, 5, 0.6)];
const groups = parsRig(LAMPS).groups.map(({ id, type }) => ({ id, type }));

/** Shows, each with its worst-case sounds in sequence. */
const SHOWS: Record<string, { readonly livePlan: LivePlan; readonly sound: Float32Array }> = {
  "by loudness alone": { livePlan: liveOf("snap"), sound: inTurn(...struck, ...turns) },
  "on every beat": { livePlan: liveOf("pulse"), sound: inTurn(drumLoop(215, 5).y, square(100, 7, 1.6), clicks(20, 1)) },
  // Full of red.
  planned: {
    livePlan: planLive({ bpm: 120, beatsPerBar: 4, groups, seed: 117 }),
    sound: inTurn(drumLoop(174, 3).y, silence(0.4), ...struck),
  },
};

/** Returns every packet that a stage sends while a sound is played into its microphone. */
async function packetsOf(livePlan: LivePlan, sound: Float32Array): Promise<readonly Packet[]> {
  const { api, dataDir } = await openHouse(LAMPS);
  const node = openUntil(onTestFinished, await listenPunctually());
  api.setRig(parsRig(LAMPS), [outputTo(node)]);
  const stage = await openStage({ api, dataDir }, { livePlan });
  const connection = openUntil(
    onTestFinished,
    new SoundConnection(`ws://127.0.0.1:${stage.port}/lights/sound`, { headers: headersOf("Ana") }),
  );
  (await connection.opened()).start(TEST_RATE);
  await until(() => connection.state!.you_lead && node.packets.length > 0);
  // The analysis takes a moment to start.
  while (!connection.state!.lead?.isHeard) await connection.play(drumLoop(120, 0.1).y, TEST_RATE);
  await connection.play(sound, TEST_RATE);
  return node.packets;
}

// kept: Stage and lamps | Bright red flashed more often than three times a second | also
it("never flashes more than three times a second on the wire, whatever is played into the microphone", async () => {
  const seen = await Promise.all(
    Object.entries(SHOWS).map(async ([name, { livePlan, sound }]) => {
      const packets = await packetsOf(livePlan, sound);
      return { name, sent: packets.length, flashes: mostFlashes(framesOf(packets, LAMPS)) };
    }),
  );
  for (const { name, sent, flashes } of seen) {
    expect(Math.max(flashes.lamp, flashes.rig), name).toBeLessThanOrEqual(3);
    // It did flash: the watcher saw what the limiter let through.
    expect(flashes.lamp, name).toBeGreaterThan(0);
    expect(sent, name).toBeGreaterThan(50);
  }
});
