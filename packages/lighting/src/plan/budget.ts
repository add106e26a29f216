import { curveMean } from "../curves.ts";
import { clamp } from "../maths.ts";
import type { Mood } from "./mood.ts";
import type { PlannedSection, SongForm } from "./song-form.ts";
import type { Curve } from "@followspot/contract";

/** Perceived brightness of the quietest and of the loudest section, for a lullaby and what hard techno adds. */
const QUIET = { calm: 0.14, wild: 0.14 };
const LOUD = { calm: 0.45, wild: 0.55 };
/** Middling sections are nearer to the quiet ones, so that the peak stands out. */
const CURVE = 1.5;
/** The part of that range a song uses whose sections are all alike. */
const FLAT = { low: 0.35, high: 0.7 };
/** The last peak is this much brighter than any before it. */
const LAST_PEAK_LEAD = 0.03;
/** A build leaves its drop this much room, and an intro or outro is never brighter than this share of the range. */
const BUILD_ROOM = 0.2;
const EDGE_SHARE = 0.55;
/** How far a phrase may leave its section's brightness with its own loudness. */
const PHRASE_RANGE = 0.2;

/** Section means of loudness that differ by less are taken to differ by so much. */
const LEAST_RANGE = 0.2;

/** How bright each section of a song is to be, and each phrase within it. */
export interface Budget {
  /** Perceived brightness of the whole rig per section, 0..1: square root of mean relative luminance. */
  readonly targets: readonly number[];
  /** What a stretch of a section adds to that, by its loudness, seconds. */
  readonly lift: (section: PlannedSection, from: number, to: number) => number;
}

/** A whole song's light, dealt out by loudness: the peak is kept for the last chorus or drop. */
export function budgetOf(form: SongForm, energy: Curve, mood: Mood): Budget {
  const low = QUIET.calm + QUIET.wild * mood.drive;
  const high = LOUD.calm + LOUD.wild * mood.drive;
  const at = (share: number) => low + (high - low) * clamp(share) ** CURVE;
  const targets = form.sections.map((section, i) => {
    const share = form.isFlat ? FLAT.low + (FLAT.high - FLAT.low) * section.energy : section.energy;
    if (section.label === "intro" || section.label === "outro") return at(Math.min(share, EDGE_SHARE));
    const next = form.sections[i + 1];
    if (section.label === "build" && next) return Math.min(at(share), Math.max(low, at(next.energy) - BUILD_ROOM));
    return at(share);
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
