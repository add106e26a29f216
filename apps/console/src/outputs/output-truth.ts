import type { Output, OutputHealth } from "@followspot/contract/lights";
import { nameOf } from "./output-fields.ts";
import { outputStrings as text } from "./outputs.strings.ts";

/**
 * Why an output brings no light to its lamps, as one sentence that is the same on every screen. Undefined while it works, and
 * while the stage does not say how it is.
 */
export function troubleOf(output: Output, health: OutputHealth | undefined): string | undefined {
  if (!output.enabled) return text.isOff(nameOf(output));
  if (health?.state !== "down") return undefined;
  return text.isDown(nameOf(output), health.lastError);
}
