import type { CueSpec } from "../lane-writer.ts";
import { wayOf, type LookContext } from "../vocabulary/look-context.ts";
import type { BeamLook } from "./beam-looks.ts";

/** Optics in the beams for a stretch: parameters of its cue, and the end of its reason. */
export interface InBeam {
  readonly params: CueSpec["params"];
  readonly says: string;
}

const NOTHING: InBeam = { params: {}, says: "" };

/** Gobo numbers to draw from: about as many as a wheel has. */
const GOBOS = [0, 1, 2, 3, 4, 5, 6, 7];
/** Share of labels that get a gobo if they may, for lullabies and for hard techno. */
const GOBO_SHARE = { quiet: { calm: 0.6, wild: 0.4 }, loud: { calm: 0.1, wild: 0.4 } };
/** Share of labels that get a prism if they may, for hard techno; none for lullabies. */
const PRISM_SHARE = 0.7;
/** Share of labels whose singer gets a soft edge, for lullabies; none for hard techno. */
const FROST_SHARE = 0.7;

/** Chooses a prism, a gobo or nothing, at most one. In quiet sections the gobo rotates slowly. */
export function inTheBeam(context: LookContext, look: BeamLook, pace: "loud" | "quiet"): InBeam {
  if (pace === "loud" && hasPrism(context)) {
    return { params: { beam: "prism" }, says: ", through a prism that was held back until now" };
  }
  if (!hasGobo(context, look, pace)) return NOTHING;
  const turns = pace === "quiet";
  return {
    params: { beam: "gobo", gobo: wayOf(context, "gobo", GOBOS), ...(turns && { gobo_turns: true }) },
    says: `, a ${turns ? "slowly turning " : ""}gobo ${whereOf(look)}`,
  };
}

/** Chooses the optics of beams on the singer: frost if the song is soft, otherwise open. */
export function onSinger(context: LookContext): InBeam {
  const isSoft = draw(context, "frost") < FROST_SHARE * (1 - context.mood.drive);
  return isSoft ? { params: { singer_beam: "frost" }, says: ", softly through a frost" } : NOTHING;
}

/**
 * Draws whether a section gets a prism, which is reserved for the top: a repeated chorus or drop, and the last peak.
 * The probability rises with the drive.
 */
function hasPrism(context: LookContext): boolean {
  const { section, mood } = context;
  const isBigger = section.isLastPeak || section.occurrence > 1;
  return section.rank === 4 && isBigger && draw(context, "prism") < PRISM_SHARE * mood.drive;
}

/**
 * Draws whether a section gets a gobo: breaks, quiet sections without vocals, and beams in a fan or at the ceiling,
 * where a projection is visible.
 */
function hasGobo(context: LookContext, { aim }: BeamLook, pace: "loud" | "quiet"): boolean {
  const { section, sings, mood } = context;
  const isQuiet = pace === "quiet" && (section.label === "break" || !sings);
  if (!isQuiet && aim !== "ceiling" && aim !== "fan") return false;
  const { calm, wild } = GOBO_SHARE[pace];
  return draw(context, "has gobo") < calm + (wild - calm) * mood.drive;
}

/** Returns a random number in 0..1: the same for all sections of a label, except for a rerolled one. */
const draw = ({ styles }: LookContext, choice: string): number => (styles.rolled ?? styles.ofLabel)(choice)();

const whereOf = ({ aim }: BeamLook): string => (aim === "ceiling" || aim === "floor" ? `on the ${aim}` : "in the air");
