import {
  nearestIndex,
  type Correction,
  type Seconds,
  type SongAnalysis,
  type SongCorrections,
} from "@followspot/contract";

/** Changes of tempo (share) and bar positions above which a newly analyzed grid counts as moved. */
const TEMPO_DRIFT = 0.02;
const BAR_DRIFT: Seconds = 0.1;

/** Returns what corrections store of the detected grid; both downbeats are 0 if no bar was detected. */
export function heardGrid(heard: SongAnalysis): SongCorrections["heard"] {
  return {
    tempo: heard.tempo,
    beats_per_bar: heard.grid.beats_per_bar,
    first_downbeat: heard.downbeats[0] ?? 0,
    last_downbeat: heard.downbeats.at(-1) ?? 0,
  };
}

/** Returns whether an edit is relative to the detected beats; tapped beats and sections are absolute. */
export const isRelative = ({ kind }: Correction): boolean => kind === "tempo" || kind === "downbeat" || kind === "bar";

/** Returns whether edits of tempo and bars mean the same on this analysis as on the one they were made for. */
export function correctionsFit(heard: SongAnalysis, { heard: then, edits }: SongCorrections): boolean {
  if (!edits.some(isRelative)) return true;
  if (then.beats_per_bar !== heard.grid.beats_per_bar) return false;
  if (Math.abs(then.tempo - heard.tempo) > TEMPO_DRIFT * Math.max(then.tempo, 1)) return false;
  return [then.first_downbeat, then.last_downbeat].every((time) => isOnBar(heard.downbeats, time));
}

/** Returns whether a bar begins at a time. Bars continue at the same length beyond the first and last detected ones. */
function isOnBar(downbeats: readonly Seconds[], time: Seconds): boolean {
  const bar = downbeats[nearestIndex(downbeats, time)] ?? 0;
  const distance = Math.abs(bar - time);
  const isOutside = time < downbeats[0]! || time > downbeats.at(-1)!;
  if (downbeats.length < 2 || !isOutside) return distance <= BAR_DRIFT;
  const length = time < bar ? downbeats[1]! - bar : bar - downbeats.at(-2)!;
  const missed = Math.abs(distance - Math.round(distance / length) * length);
  return missed <= BAR_DRIFT + TEMPO_DRIFT * distance;
}
