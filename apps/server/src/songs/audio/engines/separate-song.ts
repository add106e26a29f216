import { realpath } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { STEM_NAMES, type EngineName, type StemName } from "@followspot/analysis";
import { z } from "zod";
import { findOnPath } from "../../../platform/process/programs.ts";
import type { ChildProgram } from "../child-program.ts";
import {
  answerOf,
  askForJson,
  byWhom,
  limitsFor,
  nameOf,
  readAnswer,
  Refusal,
  startEngineProgram,
} from "./ask-engines.ts";
import type { AskedSong, AskOptions } from "./ask-engines.ts";
import { engineTitle, type EngineChoice } from "./engine-choice.ts";

/** Stem files written by an engine. */
export interface SeparatedSong {
  readonly by: EngineName;
  readonly files: Readonly<Record<StemName, string>>;
}

const DEMUCS_MODEL = "htdemucs";
const path = z.string().min(1).max(1000);
/** Output of a stems engine. */
export const stemsAnswer = z.object({
  ...byWhom,
  stems: z.object({ drums: path, bass: path, vocals: path, other: path }),
});

/** Separates a song into stems with an engine. @throws Refusal */
export async function separateSong(choice: EngineChoice, song: AskedSong, options: AskOptions): Promise<SeparatedSong> {
  options.onProgress?.(0, `asking ${engineTitle(choice)} for stems`);
  if (choice.kind === "demucs") return runDemucs(choice, song, options);
  const answer = readAnswer(stemsAnswer, await askForJson(choice, song, options));
  return { by: nameOf(answer), files: await insideFolder(song.folder, answer.stems) };
}

async function runDemucs(choice: EngineChoice, song: AskedSong, options: AskOptions): Promise<SeparatedSong> {
  const program = await findOnPath("demucs");
  if (!program) throw new Refusal("the program demucs is not on PATH", { isBroken: true });
  const out = join(song.folder, "separated");
  // Clamped, not rescaled: rescaling would change the loudness of single stems.
  const args = ["-n", DEMUCS_MODEL, "--clip-mode", "clamp", "-o", out, song.wav];
  const start = () => showProgress(startEngineProgram(program, args, limitsFor(song, options)), options);
  await answerOf(start, choice, options);
  const stems = Object.fromEntries(
    STEM_NAMES.map((name) => [name, join(out, DEMUCS_MODEL, "song", `${name}.wav`)]),
  ) as Record<StemName, string>; // one entry per name
  return { by: { engine: "demucs", version: DEMUCS_MODEL }, files: await insideFolder(song.folder, stems) };
}

/** Reports demucs' progress bar: "  42%|####". */
function showProgress(program: ChildProgram, options: AskOptions): ChildProgram {
  program.process.stderr.on("data", (bytes: Buffer) => {
    const percent = /(\d+)%\|(?!.*%\|)/s.exec(bytes.toString())?.[1];
    if (percent !== undefined) options.onProgress?.(Number(percent) / 100, "asking demucs for stems");
  });
  return program;
}

/**
 * Returns the full paths of the stem files. They must exist inside the scratch folder, so that an answer cannot point
 * anywhere else.
 */
async function insideFolder(
  folder: string,
  stems: Readonly<Record<StemName, string>>,
): Promise<Record<StemName, string>> {
  const root = (await realpath(folder)) + sep;
  const found = await Promise.all(
    STEM_NAMES.map(async (name) => {
      const file = await realpath(resolve(folder, stems[name])).catch(() => {
        throw new Refusal(`its file for ${name} is not there`);
      });
      if (!file.startsWith(root)) throw new Refusal(`its file for ${name} lies outside its working folder`);
      return [name, file] as const;
    }),
  );
  return Object.fromEntries(found) as Record<StemName, string>; // one entry per name
}
