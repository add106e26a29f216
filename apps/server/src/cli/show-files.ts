import { readFileSync } from "node:fs";
import {
  lightingPlanSchema,
  outputOfUrl,
  rigSchema,
  songAnalysisSchema,
  type LightingPlan,
  type Output,
  type Rig,
  type SongAnalysis,
} from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import type { ZodType } from "zod";

/** Exit codes of the song verbs. */
export const USAGE = 1;
export const BAD_INPUT = 2;

class BadUsage extends Error {}

export class BadInput extends Error {}

export function readAnalysis(path: string): SongAnalysis {
  return readJson(path, songAnalysisSchema, "a song analysis (hybrid.json)");
}

export function readPlan(path: string): LightingPlan {
  return readJson(path, lightingPlanSchema, "a lighting plan (lighting.json)");
}

/** A rig.json, or the shorthand `pars:8`. */
export function readRig(text: string): Rig {
  const pars = /^pars:(\d{1,4})$/.exec(text)?.[1];
  if (pars === undefined) return readJson(text, rigSchema, "a rig (rig.json)");
  if (Number(pars) < 1) throw new BadInput("pars:N needs at least one par");
  return parsRig(Number(pars));
}

/** `--output` URLs: the first gets universe 1, the next universe 2… */
export function readOutputs(urls: readonly string[]): Output[] {
  try {
    return urls.map((url, i) => outputOfUrl(url, i + 1));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BadUsage(error.message, { cause: error });
  }
}

/** Print what went wrong and give the exit code: bad arguments 1, unreadable input 2. */
export function refusal(error: unknown, help: string): number {
  if (error instanceof BadInput) {
    console.error(error.message);
    return BAD_INPUT;
  }
  if (error instanceof BadUsage) {
    console.error(error.message);
    return USAGE;
  }
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
    console.error(`${error.message}\n\n${help}`);
    return USAGE;
  }
  throw error;
}

function readJson<T>(path: string, schema: ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8"));
  } catch (error) {
    throw new BadInput(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BadInput(`${path} is not ${what}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
}
