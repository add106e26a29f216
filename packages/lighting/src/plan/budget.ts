import type { Curve, SectionLabel } from "@followspot/contract";
import { curveMean } from "../curves.ts";
import { clamp, mean } from "../maths.ts";
import type { Mood } from "./mood.ts";
import type { PlannedSection, SongForm } from "./song-form.ts";

/** Mean drive of all lamps in the quietest and in the loudest section, for a lullaby and what hard techno adds. */
const QUIET = { calm: 0.2, wild: 0.07 };
const LOUD = { calm: 0.6, wild: 0.2 };
/** Middling sections are nearer to the quiet ones, so that the peak stands out: in hard techno, and what a lullaby adds. */
const CURVE = { wild: 1.4, calm: 3.2 };
/** The part of that range a song uses whose sections are all alike. */
const FLAT = { low: 0.4, high: 0.85 };
/** Sections of a label are as bright as each other, but for this part of what their own loudness asks for. */
const OWN_SHARE = 0.6;
/** The last peak is this much brighter than any before it. */
const LAST_PEAK_LEAD = 0.03;
/** A build leaves its drop this much room, and an intro or outro is never brighter than this share of the range. */
const BUILD_ROOM = 0.25;
const EDGE_SHARE = 0.55;
/** However loud they are: verses and bridges leave the rest to what they lead to, where a song has that. */
const VERSE_SHARE = 0.68;
/** How far a phrase may leave its section's brightness with its own loudness. */
const PHRASE_RANGE = 0.2;

/** Section means of loudness that differ by less are taken to differ by so much. */
const LEAST_RANGE = 0.2;

/** A song whose loudest part is below this is quiet throughout, and lit so. */
const LEAST_LOUD = 0.5;

/** How bright each section of a song is to be, and each phrase within it. */
export interface Budget {
  /** Brightness of the whole rig per section, 0..1: mean drive of its lamps. */
  readonly targets: readonly number[];
  /** What a stretch of a section adds to that, by its loudness, seconds. */
  readonly lift: (section: PlannedSection, from: number, to: number) => number;
}

/** A whole song's light, dealt out by loudness: the peak is kept for the last chorus or drop. */
export function budgetOf(form: SongForm, energy: Curve, mood: Mood): Budget {
  const low = QUIET.calm + QUIET.wild * mood.drive;
  const high = LOUD.calm + LOUD.wild * mood.drive;
  const curve = CURVE.wild + CURVE.calm * (1 - mood.drive);
  const at = (share: number) => low + (high - low) * clamp(share) ** curve;
  const shares = sharesOf(form);
  const hasPeak = form.sections.some(({ label }) => label === "chorus" || label === "drop");
  const targets = form.sections.map((section, i) => {
    if (section.label === "intro" || section.label === "outro") return at(Math.min(shares[i]!, EDGE_SHARE));
    const next = form.sections[i + 1];
    if ((section.label === "verse" || section.label === "bridge") && hasPeak)
      return at(Math.min(shares[i]!, VERSE_SHARE));
    if (section.label === "build" && next)
      return Math.min(at(shares[i]!), Math.max(low, at(shares[i + 1]!) - BUILD_ROOM));
    return at(shares[i]!);
  });
  const last = form.sections.findIndex((section) => section.isLastPeak);
  if (last >= 0 && !form.isFlat) targets[last] = clamp(Math.max(...targets) + LAST_PEAK_LEAD);
  const means = form.sections.map(({ start, end }) => curveMean(energy, start, end));
  const heard = Math.max(LEAST_RANGE, Math.max(...means) - Math.min(...means));
  return {
    targets,
    lift: (section, from, to) =>
      clamp(
        ((high - low) / heard) * (curveMean(energy, from, to) - means[section.index]!),
        -PHRASE_RANGE,
        PHRASE_RANGE,
      ),
  };
}

/**
 * Loudness of the sections within the song, 0..1, the loudest at 1: mostly their label's loudness, so that the form can be read.
 */
function sharesOf({ sections, isFlat }: SongForm): number[] {
  if (isFlat) return sections.map(({ energy }) => FLAT.low + (FLAT.high - FLAT.low) * energy);
  const usual = (label: SectionLabel) => mean(sections.flatMap((s) => (s.label === label ? [s.energy] : [])));
  const shares = sections.map(({ label, energy }) => usual(label) + OWN_SHARE * (energy - usual(label)));
  const most = Math.max(LEAST_LOUD, ...shares);
  return shares.map((share) => share / most);
}
