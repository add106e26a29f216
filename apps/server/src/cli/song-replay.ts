import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Output } from "@followspot/contract";
import { parseSettings } from "../platform/settings.ts";
import { monotonicMs } from "../stage/outputs/frame-ring.ts";
import { sourceIdentity } from "../stage/outputs/source-identity.ts";
import { RecordingError } from "../stage/recording/recording-file.ts";
import { Replay } from "../stage/recording/replay.ts";
import { Stage } from "../stage/stage.ts";
import { endOfShow } from "./end-of-show.ts";
import { BAD_INPUT, readOutputs, refusal, USAGE } from "./show-files.ts";

const HELP = `song -- replay RECORDING --output artnet://127.0.0.1:6454/0 [--output …]

Sends a recorded show again: the same slots, as long after each other as they were, with no rig and no plan.
RECORDING  a .frames.gz of the console's recordings or of song -- play --record, or what song -- frames printed
--output   as for song -- play: the first gets universe 1, the next universe 2…
Sends what was recorded and nothing else: no flash limit is put over it. Ends dark at the end of the recording or on
ctrl-C. Prints the output's health as JSON.`;

const KEEP_UP_MS = 250;

/** Replay a recording to real outputs; see HELP. */
export async function songReplay(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, output: { type: "string", multiple: true, default: [] } },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const [path] = positionals;
    if (!path || positionals.length !== 1 || values.output.length === 0) {
      console.error(HELP);
      return USAGE;
    }
    const outputs = readOutputs(values.output);
    let replay: Replay;
    try {
      replay = await Replay.open(path);
    } catch (error) {
      console.error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      return BAD_INPUT;
    }
    return await play(path, replay, outputs);
  } catch (error) {
    return refusal(error, HELP);
  }
}

async function play(path: string, replay: Replay, outputs: readonly Output[]): Promise<number> {
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
    return 0;
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    console.error(`${path}: ${error.message}`);
    return BAD_INPUT;
  } finally {
    await stage.close();
    replay.close();
  }
}
