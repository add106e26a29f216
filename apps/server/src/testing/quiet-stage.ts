import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOfUrl, type LightOnStage, type OutputsHealth, type OutputTestAnswer } from "@followspot/contract";
import { pino } from "pino";
import { Lamps } from "../stage/lamps/lamps.ts";
import { answerAboutRecordings } from "../stage/recording/recording-orders.ts";
import { RecordingShelf } from "../stage/recording/recordings.ts";

/** Health of a stage that sends nothing and found no nodes. */
const HEALTH: OutputsHealth = {
  sending: false,
  rate_hz: 0,
  jitter_ms: { p95: 0, max: 0 },
  late_frames: 0,
  outputs: [],
  nodes: [],
  devices: [],
  foreign_sources: [],
  notices: ["No output is set up"],
  searching_until: new Date(Date.now() + 60_000).toISOString(),
};

const LIGHT: LightOnStage = {
  holder: "nobody",
  source_id: "",
  position: 0,
  idle: "",
  blackout: false,
  master: 1,
  is_known: true,
  lanes: [],
  darkened_by: [],
  sent: [],
};

/** Returns the responses of a main-stage that sends nothing; recordings work. */
export function quietStage(
  dataDir = join(tmpdir(), `followspot-stage-${process.pid}`),
): (path: string, body?: object) => Promise<unknown> {
  const shelf = new RecordingShelf({
    folder: join(dataDir, "recordings"),
    tap: () => () => undefined,
    rig: () => ({ rig: { lights: [], groups: [] }, outputs: [outputOfUrl("artnet://127.0.0.1:9/0")] }),
    lamps: new Lamps(),
    log: pino({ level: "silent" }),
    nextTickMs: () => 0,
    refresh: () => undefined,
  });
  return async (path, body) => {
    if (path === "/recordings") return answerAboutRecordings(shelf, body);
    if (path === "/outputs/test") return { state: "held", holder: "queue", holder_name: "" } satisfies OutputTestAnswer;
    return path.startsWith("/lights/") ? LIGHT : HEALTH;
  };
}
