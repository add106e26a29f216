import { outputDown, outputName } from "@followspot/contract";
import type { Output, OutputHealth } from "@followspot/contract/lights";
import { outputStrings as text } from "./outputs.strings.ts";

/**
 * Returns why an output sends nothing to its fixtures, as a sentence that all screens share. Undefined while it works,
 * and while the stage does not report its state.
 */
export function troubleOf(output: Output, health: OutputHealth | undefined): string | undefined {
  if (!output.enabled) return text.isOff(outputName(output));
  if (health?.state !== "down") return undefined;
  return outputDown(outputName(output), health.lastError);
}

/** Returns the problems of all outputs, one sentence each. */
export const troublesOf = (outputs: readonly Output[], health: readonly OutputHealth[]): string[] =>
  outputs.flatMap(
    (output) =>
      troubleOf(
        output,
        health.find(({ id }) => id === output.id),
      ) ?? [],
  );
