import { beatToParent } from "./platform/process/beat.ts";
import { keepHelpersApart } from "./platform/process/helper-account.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { findFfmpeg } from "./platform/process/programs.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/process/stopping.ts";
import { openSongFiles } from "./songs/catalog/open-song-files.ts";
import { outputKey } from "./night/players/output-key.ts";
import { nameOfOutput, readOutput, usualDelayMs } from "./night/sound-output/output-kind.ts";
import { OutputPlayer } from "./night/sound-output/output-player.ts";
import { findOutputProgram } from "./night/sound-output/output-program.ts";
import { openProgramSink } from "./night/sound-output/sound-sink.ts";
import { openWavSink } from "./night/sound-output/wav-sink.ts";

/**
 * The sound output process: a player without a browser on the machine Followspot runs on, started if
 * FOLLOWSPOT_SOUND_OUTPUT is set.
 */
outliveReaders();
beatToParent();
keepPrivate();
const settings = settingsOrExit();
const log = openLog("main-sound", settings);
const warn = withoutRepeats((message) => log.warn(message));
keepHelpersApart(settings.FOLLOWSPOT_DATA_DIR, warn);

const output = readOutput(required(settings, "FOLLOWSPOT_SOUND_OUTPUT"));
const ffmpeg = await findFfmpeg(settings);
const player = new OutputPlayer({
  api: required(settings, "FOLLOWSPOT_API"),
  key: outputKey(required(settings, "FOLLOWSPOT_STAGE_SECRET")),
  name: nameOfOutput(output),
  files: openSongFiles(settings),
  ffmpeg,
  delayMs: settings.FOLLOWSPOT_SOUND_DELAY ?? usualDelayMs(output),
  isDelaySet: output.kind === "file" || settings.FOLLOWSPOT_SOUND_DELAY !== undefined,
  openSink: async (rate, onEnd) => {
    if (output.kind === "file") return openWavSink(output.device, rate, onEnd);
    const program = await findOutputProgram(output, rate, ffmpeg);
    if (typeof program === "string") throw new Error(program);
    return openProgramSink(program, onEnd);
  },
  warn,
});

onStop(async () => {
  player.close();
  process.exit(0);
});
