import type { ChannelKind, FixtureDefinition } from "@followspot/contract";
import { keyOf } from "./definition.ts";
import { cleanName, FIXTURE_LIMITS, FixtureFileError, refuse, textOf } from "./limits.ts";
import { attributeOf, childOf, childrenOf, parseXml, textIn, type XmlElement } from "./xml.ts";

/** Most fixtures of a workspace: as many as a rig of 64 universes of pars. */
const MOST_FIXTURES = 2000;
const MOST_CHANNELS = 512;
const MOST_GROUPS = 500;

/** A fixture as patched in a QLC+ workspace. */
export interface WorkspaceFixture {
  /** ID in the file. */
  readonly id: number;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly mode: string;
  /** 1-based. */
  readonly universe: number;
  /** 1-based; not checked against the end of the universe. */
  readonly address: number;
  readonly channelCount: number;
  /** Definition that QLC+ creates from the workspace alone: dimmer packs and pixel panels; otherwise undefined. */
  readonly made: FixtureDefinition | undefined;
}

/** A fixture group of a QLC+ workspace. */
export interface WorkspaceGroup {
  readonly name: string;
  /** IDs of its fixtures without duplicates, row by row from the upper left. */
  readonly fixtureIds: readonly number[];
}

export interface Workspace {
  readonly fixtures: readonly WorkspaceFixture[];
  readonly groups: readonly WorkspaceGroup[];
}

/**
 * Reads the patch and the groups of a QLC+ workspace (`.qxw`). Pure and bounded like `readFixtureFile`; the rest of the
 * workspace is ignored.
 *
 * @throws FixtureFileError with a sentence for the user
 */
export function readWorkspace(bytes: Uint8Array): Workspace {
  if (bytes.length === 0) refuse("The file is empty.");
  if (bytes.length > FIXTURE_LIMITS.fileBytes) refuse("The file is larger than 4 MB.");
  try {
    const engine = engineOf(parseXml(textOf(bytes)));
    const fixtures = fixturesOf(engine);
    return { fixtures, groups: groupsOf(engine, new Set(fixtures.map(({ id }) => id))) };
  } catch (error) {
    if (error instanceof FixtureFileError) throw error;
    // After a stack overflow or an unforeseen shape the file is rejected, and the process continues.
    throw new FixtureFileError("The file cannot be read as a workspace.", { cause: error });
  }
}

function engineOf(root: XmlElement): XmlElement {
  const engine = root.name === "Workspace" ? childOf(root, "Engine") : undefined;
  return engine ?? refuse("The file is no QLC+ workspace.");
}

function fixturesOf(engine: XmlElement): readonly WorkspaceFixture[] {
  const elements = childrenOf(engine, "Fixture");
  if (elements.length === 0) refuse("The workspace has no fixtures.");
  if (elements.length > MOST_FIXTURES) refuse(`The workspace has more than ${MOST_FIXTURES} fixtures.`);
  const fixtures = elements.map(readFixture);
  const ids = new Set(fixtures.map(({ id }) => id));
  if (ids.size < fixtures.length) refuse("Two fixtures of the workspace have one ID.");
  return fixtures;
}

/** Returns the groups with fixtures. QLC+ arranges heads on a grid; a fixture is placed at its first head. */
function groupsOf(engine: XmlElement, fixtureIds: ReadonlySet<number>): readonly WorkspaceGroup[] {
  const elements = childrenOf(engine, "FixtureGroup");
  if (elements.length > MOST_GROUPS) refuse(`The workspace has more than ${MOST_GROUPS} groups.`);
  return elements.flatMap((element, at) => {
    const heads = childrenOf(element, "Head").map((head) => ({
      x: Number(attributeOf(head, "X")),
      y: Number(attributeOf(head, "Y")),
      fixtureId: Number(attributeOf(head, "Fixture") ?? Number.NaN),
    }));
    const rows = heads.filter(({ fixtureId }) => fixtureIds.has(fixtureId)).toSorted((a, b) => a.y - b.y || a.x - b.x);
    const name = cleanName(textIn(element, "Name")) || `Group ${at + 1}`;
    return rows.length > 0 ? [{ name, fixtureIds: [...new Set(rows.map(({ fixtureId }) => fixtureId))] }] : [];
  });
}

function readFixture(element: XmlElement, at: number): WorkspaceFixture {
  const manufacturer = cleanName(textIn(element, "Manufacturer"));
  const model = cleanName(textIn(element, "Model"));
  const mode = cleanName(textIn(element, "Mode"));
  const name = cleanName(textIn(element, "Name")) || model || `Fixture ${at + 1}`;
  const number = (tag: string) => wholeNumber(textIn(element, tag), name, tag);
  const channelCount = number("Channels");
  if (channelCount < 1 || channelCount > MOST_CHANNELS) {
    refuse(`"${name}" has ${channelCount} channels; a universe has ${MOST_CHANNELS}.`);
  }
  return {
    id: number("ID"),
    name,
    manufacturer,
    model,
    mode,
    universe: number("Universe") + 1,
    address: number("Address") + 1,
    channelCount,
    made: manufacturer === "Generic" ? madeDefinition(model, mode, channelCount) : undefined,
  };
}

function wholeNumber(text: string, name: string, tag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return refuse(`"${name}" has no ${tag} that can be read.`);
}

const PIXELS: Readonly<Record<string, ChannelKind>> = { R: "red", G: "green", B: "blue", W: "white" };

function madeDefinition(model: string, mode: string, channelCount: number): FixtureDefinition | undefined {
  if (model === "Generic") {
    const kinds = Array.from({ length: channelCount }, () => ["intensity"] as const);
    return made(`Dimmer pack ${channelCount}`, "dimmer", `${channelCount} channels`, kinds);
  }
  const order = [...mode].map((letter) => (Object.hasOwn(PIXELS, letter) ? PIXELS[letter] : undefined));
  const isOrder = order.length > 0 && new Set(order).size === order.length && !order.includes(undefined);
  if (model !== "RGBPanel" || !isOrder || channelCount % order.length !== 0) return undefined;
  const kinds = order.filter((kind) => kind !== undefined);
  const pixels = channelCount / order.length;
  return made(
    `${mode} panel ${pixels}`,
    "bar",
    `${channelCount} channels`,
    Array.from({ length: pixels }, () => kinds),
  );
}

/** Creates a definition for a fixture without a file: each head has the same channels. */
function made(
  model: string,
  type: string,
  mode: string,
  heads: readonly (readonly ChannelKind[])[],
): FixtureDefinition {
  const channels = heads.flatMap((kinds, head) => kinds.map((kind) => ({ kind, head, default: 0 })));
  return {
    key: keyOf("own", "Generic", model),
    manufacturer: "Generic",
    model,
    name: `Generic ${model}`,
    type,
    modes: [{ name: mode, channels }],
  };
}
