import { AudioError } from "../audio-error.ts";
import { DECODED_RATE } from "../decoded-sound.ts";
import { askProgram } from "../ask-program.ts";
import { findOnPath, type ProgramReport } from "../../../platform/process/programs.ts";
import { askForJson, Refusal, type AskedSong } from "./ask-engines.ts";
import { engineTitle, type Capability, type EngineChoice, type Engines } from "./engine-choice.ts";
import { EngineSong } from "./engine-song.ts";

const CAPABILITIES: readonly Capability[] = ["beats", "stems", "tags"];
/** Length of the test sound, seconds: clicks at 120 BPM. */
const TRIED_SECONDS = 4;
/** Timeout, ms: a large network takes long to load, once. */
const TRY_MS = 120_000;

/**
 * Tests every engine of the settings on a short sound of clicks.
 * @returns a report per engine, and the engines to use: one that does not start or does not end is replaced by the
 * built-in one; one that only declined the sound stays
 */
export async function tryEngines(
  engines: Engines,
): Promise<{ readonly reports: readonly ProgramReport[]; readonly engines: Engines }> {
  const named = CAPABILITIES.filter((capability) => engines[capability].kind !== "built-in");
  if (named.length === 0) return { reports: [], engines };
  const song = await clicks();
  try {
    const reports: ProgramReport[] = [];
    const usable: Record<Capability, EngineChoice> = { ...engines };
    const timeoutMs = Math.min(TRY_MS, engines.timeoutMs);
    for (const capability of named) {
      const choice = engines[capability];
      const refusal = await tryEngine(choice, song, timeoutMs);
      reports.push(reportOf(capability, choice, refusal));
      if (refusal?.isBroken) usable[capability] = { kind: "built-in" };
    }
    return { reports, engines: { ...engines, ...usable } };
  } finally {
    await song.remove();
  }
}

function reportOf(capability: Capability, choice: EngineChoice, refusal: Refusal | undefined): ProgramReport {
  const next = refusal?.isBroken
    ? "the built-in engine is used until the worker is started again"
    : "songs ask it all the same";
  return {
    name: `engine for ${capability}: ${engineTitle(choice)}`,
    path: "path" in choice ? choice.path : "",
    version: "",
    works: refusal === undefined,
    why: refusal ? `${refusal.message}; ${next}` : "",
  };
}

async function tryEngine(choice: EngineChoice, song: AskedSong, timeoutMs: number): Promise<Refusal | undefined> {
  if (choice.kind === "demucs") return tryDemucs(timeoutMs);
  try {
    await askForJson(choice, song, { timeoutMs });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    if (error instanceof AudioError) return new Refusal(error.message, { isBroken: true });
    throw error;
  }
}

/** Tests only whether demucs starts, because its model may have to be downloaded first. */
async function tryDemucs(timeoutMs: number): Promise<Refusal | undefined> {
  const path = await findOnPath("demucs");
  if (!path) return new Refusal("the program demucs is not on PATH", { isBroken: true });
  const asked = await askProgram(path, ["--help"], timeoutMs);
  return "fault" in asked ? new Refusal(asked.fault, { isBroken: true }) : undefined;
}

async function clicks(): Promise<EngineSong> {
  const song = await EngineSong.create(undefined, "try");
  const sound = Float32Array.from({ length: TRIED_SECONDS * DECODED_RATE }, (_, n) =>
    n % (DECODED_RATE / 2) < 400 ? 0.8 * Math.sin(n / 4) : 0,
  );
  await song.write(sound, sound);
  await song.close();
  return song;
}
