import type { ChannelKind, FixtureDefinition } from "@followspot/contract";
import { keyOf } from "./definition.ts";
import { cleanName, FIXTURE_LIMITS, FixtureFileError, refuse, textOf } from "./limits.ts";
import { childOf, childrenOf, parseXml, textIn, type XmlElement } from "./xml.ts";

/** Fixtures of a workspace at most; a rig of 64 universes of pars has as many. */
const MOST_FIXTURES = 2000;
const MOST_CHANNELS = 512;

/** A lamp as a QLC+ workspace has it patched. */
export interface WorkspaceFixture {
  /** In the file. */
  readonly id: number;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly mode: string;
  /** 1-based, as people count. */
  readonly universe: number;
  /** 1-based; what runs past the universe is left as it is. */
  readonly address: number;
  readonly channelCount: number;
  /** What QLC+ describes by the workspace alone: dimmer packs and panels of pixels. */
  readonly made: FixtureDefinition | undefined;
}

/**
 * The patch of a QLC+ workspace (`.qxw`). Pure and bounded, as `readFixtureFile` is; everything else of the workspace is
 * passed over.
 * @throws FixtureFileError with a sentence for whoever gave the file
 */
export function readWorkspace(bytes: Uint8Array): readonly WorkspaceFixture[] {
  if (bytes.length === 0) refuse("The file is empty.");
  if (bytes.length > FIXTURE_LIMITS.fileBytes) refuse("The file is larger than 4 MB.");
  try {
    return fixturesOf(parseXml(textOf(bytes)));
  } catch (error) {
    if (error instanceof FixtureFileError) throw error;
    // A stack or a shape nobody thought of: the file is refused, not the process.
    throw new FixtureFileError("The file cannot be read as a workspace.", { cause: error });
  }
}

function fixturesOf(root: XmlElement): readonly WorkspaceFixture[] {
  const engine = root.name === "Workspace" ? childOf(root, "Engine") : undefined;
  if (!engine) return refuse("The file is no QLC+ workspace.");
  const elements = childrenOf(engine, "Fixture");
  if (elements.length === 0) refuse("The workspace has no fixtures.");
  if (elements.length > MOST_FIXTURES) refuse(`The workspace has more than ${MOST_FIXTURES} fixtures.`);
  const fixtures = elements.map(readFixture);
  const ids = new Set(fixtures.map(({ id }) => id));
  if (ids.size < fixtures.length) refuse("Two fixtures of the workspace have one ID.");
  return fixtures;
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

/** A definition of our own for what has no file: each head with the same channels. */
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
