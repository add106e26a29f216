import { basename } from "node:path";
import type { Settings } from "../../../platform/settings.ts";

/** Engine for one capability. */
export type EngineChoice =
  | { readonly kind: "built-in" }
  /** Any program that prints our JSON format; see docs/engines.md. */
  | { readonly kind: "exec"; readonly path: string }
  /** The demucs command line on PATH; stems only. */
  | { readonly kind: "demucs" }
  /** A Beat This! network as ONNX; beats only. */
  | { readonly kind: "beat-this"; readonly path: string };

export type Capability = "beats" | "stems" | "tags";

/** Engine of every capability; plain data that can be sent to a thread. */
export type Engines = Readonly<Record<Capability, EngineChoice>> & {
  /** Longest time of one engine for one song, ms. */
  readonly timeoutMs: number;
};

export const BUILT_IN: Engines = {
  beats: { kind: "built-in" },
  stems: { kind: "built-in" },
  tags: { kind: "built-in" },
  timeoutMs: 0,
};

/** Returns the engines of the settings, which are already validated. */
export function chosenEngines(settings: Settings): Engines {
  return {
    beats: engineChoice(settings.FOLLOWSPOT_BEATS_ENGINE),
    stems: engineChoice(settings.FOLLOWSPOT_STEMS_ENGINE),
    tags: engineChoice(settings.FOLLOWSPOT_TAGS_ENGINE),
    timeoutMs: settings.FOLLOWSPOT_ENGINE_SECONDS * 1000,
  };
}

/** @throws RangeError for a text that the settings would have rejected */
function engineChoice(text: string): EngineChoice {
  if (text === "built-in" || text === "demucs") return { kind: text };
  const [, kind, path = ""] = /^(exec|beat-this):(\/.+)$/.exec(text) ?? [];
  if (kind !== "exec" && kind !== "beat-this") throw new RangeError(`there is no engine ${text}`);
  return { kind, path };
}

/** Returns the display name of an engine, without its folder, because insights leave the server. */
export function engineTitle(choice: EngineChoice): string {
  switch (choice.kind) {
    case "built-in":
    case "demucs":
      return choice.kind;
    case "exec":
      return basename(choice.path);
    case "beat-this":
      return `Beat This! (${basename(choice.path)})`;
    default:
      return choice satisfies never;
  }
}
