import type { CueSpec } from "../lane-writer.ts";
import { wayOf, type LookContext } from "../vocabulary/look-context.ts";
import type { BeamLook } from "./beam-looks.ts";

/** What stands in the beams of a stretch, as params of its cue and at the end of its reason. */
export interface InBeam {
  readonly params: CueSpec["params"];
  readonly says: string;
}

const NOTHING: InBeam = { params: {}, says: "" };

/** Numbers gobos are drawn from: about as many as a wheel has. */
const GOBOS = [0, 1, 2, 3, 4, 5, 6, 7];
/** Share of labels that have a gobo where they may, of lullabies and of hard techno. */
const GOBO_SHARE = { quiet: { calm: 0.6, wild: 0.4 }, loud: { calm: 0.1, wild: 0.4 } };
/** Share of labels that have a prism where they may, of hard techno; of lullabies none. */
const PRISM_SHARE = 0.7;
/** Share of labels whose singer has a soft edge, of lullabies; of hard techno none. */
const FROST_SHARE = 0.7;

/** One thing at most: a prism, a gobo or nothing. Quiet parts turn their gobo slowly. */
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

/** A singer is lit openly, or softly where the song is soft: what stands in the beams on them. */
export function onSinger(context: LookContext): InBeam {
  const isSoft = draw(context, "frost") < FROST_SHARE * (1 - context.mood.drive);
  return isSoft ? { params: { singer_beam: "frost" }, says: ", softly through a frost" } : NOTHING;
}

/** Held back for the top: a chorus or drop that comes back, and the last peak. The more a song drives, the surer. */
function hasPrism(context: LookContext): boolean {
  const { section, mood } = context;
  const isBigger = section.isLastPeak || section.occurrence > 1;
  return section.rank === 4 && isBigger && draw(context, "prism") < PRISM_SHARE * mood.drive;
}

/** Breaks, quiet parts without a singer, and beams that go to where a picture is seen: into a fan and to the ceiling. */
function hasGobo(context: LookContext, { aim }: BeamLook, pace: "loud" | "quiet"): boolean {
  const { section, sings, mood } = context;
  const isQuiet = pace === "quiet" && (section.label === "break" || !sings);
  if (!isQuiet && aim !== "ceiling" && aim !== "fan") return false;
  const { calm, wild } = GOBO_SHARE[pace];
  return draw(context, "has gobo") < calm + (wild - calm) * mood.drive;
}

/** 0..1, the same for all sections of a label but for one that was rolled again. */
const draw = ({ styles }: LookContext, choice: string): number => (styles.rolled ?? styles.ofLabel)(choice)();

const whereOf = ({ aim }: BeamLook): string => (aim === "ceiling" || aim === "floor" ? `on the ${aim}` : "in the air");
