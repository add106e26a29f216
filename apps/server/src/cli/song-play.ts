import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseSettings } from "../platform/settings.ts";
import { drawingOf } from "../stage/lamps/scene.ts";
import { monotonicMs } from "../stage/outputs/frame-ring.ts";
import { ShowClock } from "../stage/playback/show-clock.ts";
import { sourceIdentity } from "../stage/outputs/source-identity.ts";
import { Stage } from "../stage/stage.ts";
import { RecordingWriter } from "../stage/recording/recording-file.ts";
import { endOfShow } from "./end-of-show.ts";
import { mustHaveFolder } from "./picture-options.ts";
import { readOutputs, readPlan, readRig } from "./show-files.ts";
import { BadInput, songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- play PLAN --rig RIG --output artnet://127.0.0.1:6454/0 [--output …] [--from S] [--speed 1] [--record FILE]

Plays a plan to the wire, without sound. The first --output gets universe 1, the next universe 2…
PLAN       lighting.json
--rig RIG  rig.json, or pars:N for N generic RGB pars
--output   artnet://HOST[:PORT]/PORT_ADDRESS, sacn://HOST[:PORT]/UNIVERSE[?priority=100] (HOST may be multicast),
           enttec_pro://DEVICE or open_dmx://DEVICE
--from S   start at song second S;  --speed X  0.1..10
--record FILE  keep what is sent, with the times it left, for song -- replay; FILE must not be there yet
Ends dark at the end of the song or on ctrl-C. Prints the output's health as JSON.`;

/** Lead time in which the first frames are rendered before the song clock starts, ms. */
const LEAD_MS = 500;

/** Plays a plan to real outputs; see HELP. */
export const songPlay = songVerb(
  HELP,
  {
    rig: { type: "string" },
    output: { type: "string", multiple: true, default: [] },
    from: { type: "string", default: "0" },
    speed: { type: "string", default: "1" },
    record: { type: "string" },
  },
  async ({ values, paths }) => {
    const [path] = paths;
    const from = Number(values.from);
    const speed = Number(values.speed);
    const isUsable = from >= 0 && speed >= 0.1 && speed <= 10 && values.output.length > 0;
    if (!path || paths.length !== 1 || values.rig === undefined || !isUsable) throw new WrongUse();
    const outputs = readOutputs(values.output);
    if (values.record !== undefined) {
      if (existsSync(values.record)) throw new WrongUse(`${values.record} is there already`);
      await mustHaveFolder(values.record);
    }
    const plan = readPlan(path);
    const rig = readRig(values.rig);
    const clock = new ShowClock();
    clock.hold(0, from);
    // The identity of the installation: receivers see one source, whichever of its processes sends.
    const source = sourceIdentity(parseSettings(process.env).FOLLOWSPOT_DATA_DIR, "command line");
    const stage = new Stage(source, (ms) => ({
      kind: "show",
      position: Math.max(from, clock.positionAt(ms)),
      allowsStrobe: true,
      houseMix: 0,
      master: 1,
    }));
    stage.setRig(rig, outputs);
    stage.draw(drawingOf(plan));
    await stage.ready;
    clock.run(monotonicMs() + LEAD_MS, from, speed);
    stage.refresh();
    const recording = values.record === undefined ? undefined : record(stage, values.record);
    console.error(`playing ${plan.song_id} from ${from} s to ${values.output.join(", ")}`);
    const lengthMs = Math.max(0, LEAD_MS + ((plan.duration - from) / speed) * 1000);
    await endOfShow((signal) => sleep(lengthMs, undefined, { signal }));
    const health = stage.health();
    const problem = await recording?.end();
    await stage.close();
    process.stdout.write(`${JSON.stringify(health)}\n`);
    if (problem) throw new BadInput(`${values.record} is not whole: ${problem.message}`);
  },
);

/**
 * Records the sent frames until `end`, which resolves with the error if there was one. The show continues without the
 * recording.
 */
function record(stage: Stage, path: string): { readonly end: () => Promise<Error | undefined> } {
  let problem: Error | undefined;
  const writer = new RecordingWriter(path, {}, (error) => {
    problem = error;
    console.error(`${path}: ${error.message}`);
  });
  const endTap = stage.tap((sent) => writer.add(sent));
  return {
    end: async () => {
      endTap();
      await writer.close(monotonicMs());
      return problem;
    },
  };
}
