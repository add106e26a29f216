import { setTimeout as sleep } from "node:timers/promises";
import type { Output } from "@followspot/contract";
import { parseSettings } from "../platform/settings.ts";
import { monotonicMs } from "../stage/outputs/frame-ring.ts";
import { sourceIdentity } from "../stage/outputs/source-identity.ts";
import { RecordingError } from "../stage/recording/recording-file.ts";
import { Replay } from "../stage/recording/replay.ts";
import { Stage } from "../stage/stage.ts";
import { endOfShow } from "./end-of-show.ts";
import { readOutputs } from "./show-files.ts";
import { BadInput, songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- replay RECORDING --output artnet://127.0.0.1:6454/0 [--output …]

Sends a recorded show again: the same slots, as long after each other as they were, with no rig and no plan.
RECORDING  a .frames.gz of the console's recordings or of song -- play --record, or what song -- frames printed
--output   as for song -- play: the first gets universe 1, the next universe 2…
Sends what was recorded and nothing else: no flash limit is put over it. Ends dark at the end of the recording or on
ctrl-C. Prints the output's health as JSON.`;

const KEEP_UP_MS = 250;

/** Replays a recording to real outputs; see HELP. */
export const songReplay = songVerb(
  HELP,
  { output: { type: "string", multiple: true, default: [] } },
  async ({ values, paths }) => {
    const [path] = paths;
    if (!path || paths.length !== 1 || values.output.length === 0) throw new WrongUse();
    const outputs = readOutputs(values.output);
    const replay = await Replay.open(path).catch((error: unknown) => unusable(path, error));
    await play(path, replay, outputs);
  },
);

async function play(path: string, replay: Replay, outputs: readonly Output[]): Promise<void> {
  const source = sourceIdentity(parseSettings(process.env).FOLLOWSPOT_DATA_DIR, "command line");
  const stage = new Stage(source, (ms) => ({
    kind: "recorded",
    slotsOf: (universe, offsetMs) => replay.slotsAt(universe, ms, offsetMs),
  }));
  stage.setRig({ lights: [], groups: [] }, outputs);
  await stage.ready;
  replay.start(stage.nextTickMs);
  stage.refresh();
  console.error(`replaying ${path}`);
  try {
    await endOfShow(async (signal) => {
      while (!replay.isOverAt(monotonicMs())) {
        await sleep(KEEP_UP_MS, undefined, { signal });
        await replay.keepUp(monotonicMs());
      }
    });
    process.stdout.write(`${JSON.stringify(stage.health())}\n`);
  } catch (error) {
    if (error instanceof RecordingError) unusable(path, error);
    throw error;
  } finally {
    await stage.close();
    replay.close();
  }
}

function unusable(path: string, error: unknown): never {
  throw new BadInput(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
