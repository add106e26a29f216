import { outputDown, outputName } from "@followspot/contract";
import type { Output, OutputHealth } from "@followspot/contract/lights";
import { outputStrings as text } from "./outputs.strings.ts";

/**
 * Why an output brings no light to its lamps, as one sentence that is the same on every screen. Undefined while it works, and
 * while the stage does not say how it is.
 */
export function troubleOf(output: Output, health: OutputHealth | undefined): string | undefined {
  if (!output.enabled) return text.isOff(outputName(output));
  if (health?.state !== "down") return undefined;
  return outputDown(outputName(output), health.lastError);
}

/** All of them together, one sentence each. */
export const troublesOf = (outputs: readonly Output[], health: readonly OutputHealth[]): string[] =>
  outputs.flatMap(
    (output) =>
      troubleOf(
        output,
        health.find(({ id }) => id === output.id),
      ) ?? [],
  );
