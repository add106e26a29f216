import type { FixtureDefinition } from "@followspot/contract";
import { compactKey, keyOf, type WorkspaceFixture } from "@followspot/lighting/fixture-formats";
import type { Db } from "../platform/database/database.ts";
import { findByCompactKeys } from "./fixtures.store.ts";
import { shippedLamps } from "./lamp-library/lamp-library.ts";
import type { PackedLamp } from "./lamp-library/lamp-pack.ts";

/** Formats of stored definitions, best first: QLC+ itself names fixtures as in its own files. */
const FORMATS = ["qlc", "own", "gdtf", "ofl"] as const;
/** Built-in definition with one dimmer channel. */
const ONE_DIMMER = { key: "generic_dimmer_channel", mode: "1 channel" } as const;
const NAMED_MODES = 6;

/** Light type and mode for a fixture of a workspace. */
export interface LightTypeMatch {
  /** Problem and remedy, as a sentence; empty if there is a match. */
  readonly problem: string;
  readonly lightType: string;
  readonly lightMode: string;
  /** Fixture of the shipped library that becomes the light type; undefined if the light type is not from there. */
  readonly libraryLamp?: PackedLamp | undefined;
}

/** Definition that a fixture of a workspace may have. */
interface Candidate {
  readonly key: string;
  readonly modes: readonly { readonly name: string; readonly channelCount: number }[];
  readonly libraryLamp?: PackedLamp | undefined;
}

/** Finds light types for fixtures of a workspace: among the stored ones, then in the shipped library. */
export async function findLightTypes(
  db: Db,
  fixtures: readonly WorkspaceFixture[],
): Promise<(fixture: WorkspaceFixture) => LightTypeMatch> {
  const candidatesOf = await findCandidates(db, fixtures);
  return (fixture) => matchOf(fixture, candidatesOf(fixture));
}

const isOneDimmer = ({ made, channelCount }: WorkspaceFixture) => made?.type === "dimmer" && channelCount === 1;

/** Keys of stored definitions for a fixture, best first. */
function keysOf({ manufacturer, model }: WorkspaceFixture): readonly string[] {
  const models = (format: string) => (format === "own" ? [model, `${model} (own)`] : [model]); // as copies are named
  return FORMATS.flatMap((format) => models(format).map((each) => keyOf(format, manufacturer, each)));
}

/** Finds candidates for fixtures: stored definitions first, then the shipped library. */
async function findCandidates(
  db: Db,
  fixtures: readonly WorkspaceFixture[],
): Promise<(fixture: WorkspaceFixture) => readonly Candidate[]> {
  const named = fixtures.filter((fixture) => !fixture.made);
  const madeKeys = fixtures.flatMap(({ made }) => (made ? [compactKey(made.key)] : []));
  const stored = await findByCompactKeys(db, [...new Set([...madeKeys, ...named.flatMap(keysOf).map(compactKey)])]);
  const storedBy = Map.groupBy(stored, ({ key }) => compactKey(key));
  const storedKeys = new Set(stored.map(({ key }) => key));
  const shipped = new Map<string, PackedLamp>();
  for (const { manufacturer, model } of named) {
    const lamp = await shippedLamps().findCompact(compactKey(keyOf("qlc", manufacturer, model)));
    // A stored file of the same fixture has precedence: the shipped one would replace it.
    if (lamp && !storedKeys.has(lamp.key)) shipped.set(compactKey(lamp.key), lamp);
  }
  return (fixture) => {
    const { made: own } = fixture;
    if (own) return [toCandidate(stored.find(({ key }) => key === own.key) ?? own)];
    const keys = keysOf(fixture);
    const similar = keys.flatMap((key) => storedBy.get(compactKey(key)) ?? []);
    const library = keys.flatMap((key) => shipped.get(compactKey(key)) ?? []);
    const found = [...similar.filter(({ key }) => keys.includes(key)), ...similar];
    return [...found.map(toCandidate), ...library.map(toLibraryCandidate)];
  };
}

const toCandidate = ({ key, modes }: FixtureDefinition): Candidate => ({
  key,
  modes: modes.map(({ name, channels }) => ({ name, channelCount: channels.length })),
});

const toLibraryCandidate = (lamp: PackedLamp): Candidate => ({
  key: lamp.key,
  modes: lamp.modes.map(({ name, channels }) => ({ name, channelCount: channels })),
  libraryLamp: lamp,
});

/**
 * Chooses the definition and mode of a fixture: the mode of the same name and channel count in the first candidate that
 * has one, or else the only mode with that channel count.
 */
function matchOf(fixture: WorkspaceFixture, candidates: readonly Candidate[]): LightTypeMatch {
  if (isOneDimmer(fixture)) return { lightType: ONE_DIMMER.key, lightMode: ONE_DIMMER.mode, problem: "" };
  const { manufacturer, model, mode, channelCount, made } = fixture;
  const wanted = made?.modes[0]?.name ?? mode;
  const sized = candidates.map((candidate) => ({
    candidate,
    modes: candidate.modes.filter((each) => each.channelCount === channelCount),
  }));
  const named = sized.map(({ candidate, modes }) => ({ candidate, mode: modes.find((each) => isSameName(each.name, wanted)) })); // prettier-ignore
  const single = sized.map(({ candidate, modes }) => ({ candidate, mode: modes.length === 1 ? modes[0] : undefined }));
  for (const { candidate, mode: match } of [...named, ...single]) {
    const { key: lightType, libraryLamp } = candidate;
    if (match) return { lightType, lightMode: match.name, libraryLamp, problem: "" };
  }
  const lamp = `${manufacturer} ${model}`.trim() || "This lamp";
  const file = "Import the .qxf file that QLC+ uses under Fixtures, then open the workspace again.";
  const [first] = candidates;
  if (!first) return { lightType: "", lightMode: "", problem: `${lamp} is not known here. ${file}` };
  const modes = first.modes.slice(0, NAMED_MODES).map((each) => `${each.name} (${each.channelCount})`);
  const problem = `${lamp} has no mode "${wanted}" with ${channelCount} channels here, only ${modes.join(", ")}. ${file}`;
  return { lightType: "", lightMode: "", problem };
}

/** Compares letters and digits only: "8 Channel" is "8-channel". */
const isSameName = (a: string, b: string) => lettersOf(a) === lettersOf(b);

const lettersOf = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
