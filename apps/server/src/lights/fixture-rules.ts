import { fixtureDefinitionSchema, type FixtureDefinition } from "@followspot/contract";
import { cleanName, FIXTURE_LIMITS, keyOf } from "@followspot/lighting/fixture-formats";
import { invalid } from "../platform/errors.ts";

/** Fixture types, which are used for searching only. */
export const FIXTURE_TYPES = ["par", "bar", "strobe", "moving_head", "dimmer", "laser", "hazer", "effect"] as const;

/**
 * Parses a user-written definition, with trimmed names and its own key.
 * @throws invalid_argument with the remedy
 */
export function requireOwnDefinition(text: string): FixtureDefinition {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid("definitionJson: is not JSON");
  }
  const parsed = fixtureDefinitionSchema.omit({ key: true, name: true }).safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`definitionJson: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not a definition"}`);
  }
  const manufacturer = cleanName(parsed.data.manufacturer);
  const model = cleanName(parsed.data.model);
  if (manufacturer === "") throw invalid("Maker is required");
  if (model === "") throw invalid("Model is required");
  const { type } = parsed.data;
  if (!FIXTURE_TYPES.some((known) => known === type)) throw invalid(`type: must be one of ${FIXTURE_TYPES.join(", ")}`);
  const modes = parsed.data.modes.map((mode) => ({ ...mode, name: cleanName(mode.name) }));
  if (modes.length > FIXTURE_LIMITS.modes) throw invalid(`At most ${FIXTURE_LIMITS.modes} modes`);
  const names = new Set(modes.map(({ name }) => name));
  if (names.has("")) throw invalid("Every mode needs a name");
  if (names.size < modes.length) throw invalid("Two modes have the same name");
  const name = `${manufacturer} ${model}`;
  return { key: keyOf("own", manufacturer, model), manufacturer, model, name, type, modes };
}
