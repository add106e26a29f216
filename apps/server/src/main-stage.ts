import { once } from "node:events";
import { beatToParent } from "./platform/process/beat.ts";
import { keepHelpersApart } from "./platform/process/helper-account.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { settingsOrExit } from "./platform/settings.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { openTraces } from "./platform/process/traces.ts";
import { onEndSignal } from "./platform/process/stopping.ts";
import { stageConfig } from "./stage/stage-config.ts";
import { startStage } from "./stage/stage-server.ts";
import { isSpare } from "./operations/supervisor/keep-running.ts";

/** The stage process: plays plans on the fixtures. Goes dark and ends when its parent exits or requests it. */
const EXIT_MS = 450;

outliveReaders();
beatToParent();
keepPrivate();

if (isSpare(process.env)) {
  const leave = () => process.exit(0);
  process.once("disconnect", leave);
  await once(process, "message");
  process.off("disconnect", leave);
}

const settings = settingsOrExit();
const log = openLog("main-stage", settings);
keepHelpersApart(settings.FOLLOWSPOT_DATA_DIR, (line) => log.warn(line));
const traces = openTraces(
  settings,
  "main-stage",
  withoutRepeats((line) => log.warn(line)),
);
const stage = await startStage({ ...stageConfig(settings), log, spans: traces });

let isEnding = false;
function end(): void {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(0), EXIT_MS).unref();
  const closed = Promise.allSettled([stage.close(), traces?.close()]).then(() => process.exit(0));
  inBackground("stopping", closed, (message) => log.warn(message));
}
process.on("disconnect", end);
onEndSignal(end);
