import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
import { planName } from "../songs/catalog/song-files.ts";
import { BadInput, WrongUse } from "./song-verb.ts";

export function readAnalysis(path: string): SongAnalysis {
  return readJson(path, songAnalysisSchema, "a song analysis (hybrid.json)");
}

export function readPlan(path: string): LightingPlan {
  return readJson(path, lightingPlanSchema, "a lighting plan (lighting.json)");
}

/** Plan and analysis of a song, named after its folder. */
export interface HeardShow {
  readonly name: string;
  readonly plan: LightingPlan;
  readonly analysis: SongAnalysis;
}

/**
 * Reads the named shows, followed by those of a folder in order of name.
 *
 * @param paths plan, analysis, plan, analysis...
 * @param songs folder of song folders; folders without a plan or hybrid.json are skipped
 */
export function readShows(paths: readonly string[], songs: string | undefined): HeardShow[] {
  const files = [...pairsOf(paths), ...(songs === undefined ? [] : foldersIn(songs))];
  if (songs !== undefined && files.length === 0)
    throw new BadInput(`No folder in ${songs} holds a plan and a hybrid.json`);
  if (files.length === 0 || paths.length % 2 !== 0) throw new WrongUse();
  return files.map(([plan, hybrid]) => ({
    name: basename(dirname(plan)),
    plan: readPlan(plan),
    analysis: readAnalysis(hybrid),
  }));
}

function pairsOf(paths: readonly string[]): [string, string][] {
  return Array.from({ length: Math.floor(paths.length / 2) }, (_, i) => [paths[2 * i]!, paths[2 * i + 1]!]);
}

function foldersIn(dir: string): [string, string][] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(dir, name))
    .toSorted()
    .flatMap((folder) => {
      const [plan, hybrid] = [newestPlanIn(folder), join(folder, "hybrid.json")];
      return plan !== undefined && existsSync(hybrid) ? [[plan, hybrid]] : [];
    });
}

/** Returns the plan with the highest number; plans made by hand or before numbering have none. */
function newestPlanIn(folder: string): string | undefined {
  const numbers = readdirSync(folder).flatMap((name) => {
    const number = /^lighting(?:\.(\d+))?\.json$/.exec(name);
    return number ? [Number(number[1] ?? 0)] : [];
  });
  return numbers.length > 0 ? join(folder, planName(Math.max(...numbers))) : undefined;
}

/** Reads a rig.json, or the shorthand `pars:8`. */
export function readRig(text: string): Rig {
  const pars = /^pars:(\d{1,4})$/.exec(text)?.[1];
  if (pars === undefined) return readJson(text, rigSchema, "a rig (rig.json)");
  if (Number(pars) < 1) throw new BadInput("pars:N needs at least one par");
  return parsRig(Number(pars));
}

/** Parses `--output` URLs: the first gets universe 1, the next universe 2… */
export function readOutputs(urls: readonly string[]): Output[] {
  try {
    return urls.map((url, i) => outputOfUrl(url, i + 1));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WrongUse(error.message, { cause: error });
  }
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
