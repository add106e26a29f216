import type { FixtureDefinition, FixtureMode } from "@followspot/contract";
import { invalid } from "../platform/errors.ts";

export function findMode(
  definitions: readonly FixtureDefinition[],
  lightType: string,
  mode: string,
): FixtureMode | undefined {
  return definitions.find((fixture) => fixture.key === lightType)?.modes.find((m) => m.name === mode);
}

/** @throws invalid_argument when there is no such type or it has no such mode */
export function requireMode(definitions: readonly FixtureDefinition[], lightType: string, mode: string): FixtureMode {
  if (lightType === "") throw invalid("Light type is required");
  if (mode === "") throw invalid("Mode is required");
  const fixture = definitions.find(({ key }) => key === lightType);
  if (!fixture) throw invalid("light_type: there is no such light type");
  const found = findMode(definitions, lightType, mode);
  if (!found) throw invalid(`mode: ${fixture.name} has no such mode`);
  return found;
}
