import type { Curve, SectionLabel } from "@followspot/contract";
import { curveMean } from "../curves.ts";
import { clamp, mean } from "../maths.ts";
import type { Mood } from "./mood.ts";
import type { PlannedSection, SongForm } from "./song-form.ts";

/** Mean drive of all fixtures in the quietest and in the loudest section: for a lullaby, and what hard techno adds. */
const QUIET = { calm: 0.2, wild: 0.07 };
const LOUD = { calm: 0.6, wild: 0.2 };
/**
 * Exponent that keeps middling sections close to the quiet ones, so that the peak stands out: for hard techno, and what
 * a lullaby adds.
 */
const CURVE = { wild: 1.4, calm: 3.2 };
/** Part of that range used by a song whose sections are all alike. */
const FLAT = { low: 0.4, high: 0.85 };
/** Weight of a section's own loudness against the mean loudness of its label. */
const OWN_SHARE = 0.6;
/** How much brighter the last peak is than any other section. */
const LAST_PEAK_LEAD = 0.03;
/** Room that a build leaves to its drop; and highest share of the range for an intro or outro. */
const BUILD_ROOM = 0.25;
const EDGE_SHARE = 0.55;
/** Highest share of the range for verses and bridges, however loud, if the song has a chorus or drop. */
const VERSE_SHARE = 0.68;
/** Largest deviation of a phrase from its section's brightness. */
const PHRASE_RANGE = 0.2;

/** Smallest range of section loudness; a smaller one is treated as this. */
const LEAST_RANGE = 0.2;

/**
 * Loudness below which the loudest section does not count as loud. Such a song is quiet throughout and lit accordingly.
 */
const LEAST_LOUD = 0.5;

/** Target brightness of each section of a song, and of each phrase within it. */
export interface Budget {
  /** Brightness of the whole rig per section, 0..1: mean drive of its fixtures. */
  readonly targets: readonly number[];
  /** Brightness that a time range of a section adds by its loudness; times in seconds. */
  readonly lift: (section: PlannedSection, from: number, to: number) => number;
}

/** Distributes the light of a whole song by loudness. The peak is reserved for the last chorus or drop. */
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
 * Returns the loudness of the sections within the song, 0..1, the loudest at 1. Mostly the loudness of the label, so
 * that the form stays readable.
 */
function sharesOf({ sections, isFlat }: SongForm): number[] {
  if (isFlat) return sections.map(({ energy }) => FLAT.low + (FLAT.high - FLAT.low) * energy);
  const usual = (label: SectionLabel) => mean(sections.flatMap((s) => (s.label === label ? [s.energy] : [])));
  const shares = sections.map(({ label, energy }) => usual(label) + OWN_SHARE * (energy - usual(label)));
  const most = Math.max(LEAST_LOUD, ...shares);
  return shares.map((share) => share / most);
}
