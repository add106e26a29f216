/** What the planner is told of a song: what was really heard, the truth, or the truth disturbed as hearing disturbs it. */
import type { Drop, Section, SectionLabel, SongAnalysis } from "../../packages/contract/src/index.ts";
import { hash, pick, seededChance } from "../analysis/evaluation-set/score.ts";
import type { BenchSong } from "./songs.ts";

export type Hearing = "heard" | "truth" | "disturb";

export function hear(song: BenchSong, hearing: Hearing): SongAnalysis {
  if (hearing === "heard") return song.heard;
  return knowing(song, hearing === "disturb");
}

/** Share of edges that are heard one or two bars off, and of labels heard wrong. */
const EDGES_OFF = 0.3;
const LABELS_WRONG = 0.15;
const LABELS: readonly SectionLabel[] = ["intro", "verse", "chorus", "build", "drop", "break", "bridge", "outro"];

/** The heard curves with beats, sections, drops and voices as they truly are, or nearly. */
function knowing({ id, truth, heard }: BenchSong, isDisturbed: boolean): SongAnalysis {
  const chance = seededChance(hash(`${id} disturbed`));
  const at = (t: number) => Math.round(t * 10_000) / 10_000;
  const beats = truth.beats.map(at);
  const bar = (60 / truth.tempo) * truth.beats_per_bar;
  const edges = truth.sections.map(({ start }, i) => {
    const isOff = isDisturbed && i > 0 && chance() < EDGES_OFF;
    const bars = pick([-2, -1, 1, 2], chance);
    const moved = isOff ? start + bars * bar : start;
    return truth.downbeats.reduce((best, t) => (Math.abs(t - moved) < Math.abs(best - moved) ? t : best), start);
  });
  for (let i = 1; i < edges.length; i++) edges[i] = Math.max(edges[i]!, edges[i - 1]! + bar);
  const { hop_seconds, values } = heard.dynamics.energy_curve;
  const sections = truth.sections.map((section, i): Section => {
    const start = i === 0 ? 0 : at(edges[i]!);
    const end = i + 1 < edges.length ? at(edges[i + 1]!) : heard.duration;
    const own = values.slice(Math.floor(edges[i]! / hop_seconds), Math.ceil(end / hop_seconds));
    const energy = own.length > 0 ? own.reduce((a, b) => a + b, 0) / own.length : 0;
    const isWrong = isDisturbed && chance() < LABELS_WRONG;
    const others = LABELS.filter((label) => label !== section.label);
    const label = isWrong ? pick(others, chance) : (section.label as SectionLabel);
    return { start, end, label, energy, intensity: energy, confidence: isDisturbed ? 0.6 : 0.9 };
  });
  const drops = sections
    .filter(({ label }, i) => label === "drop" && i > 0)
    .map(({ start, energy }): Drop => ({ time: start, energy, type: "drop", confidence: isDisturbed ? 0.7 : 0.9 }));
  const sung = heard.vocals.presence.values.map((_, i) => {
    const t = (i + 0.5) * heard.vocals.presence.hop_seconds;
    return truth.vocals.some(([from, to]) => from <= t && t < to) ? 0.9 : 0.05;
  });
  return {
    ...heard,
    tempo: truth.tempo,
    beats,
    downbeats: truth.downbeats.map(at),
    offbeats: beats.slice(1).map((t, i) => at((t + beats[i]!) / 2)),
    grid: { ...heard.grid, beats_per_bar: truth.beats_per_bar, confidence: 0.9, downbeat_confidence: 0.9 },
    vocals: {
      presence: { ...heard.vocals.presence, values: sung },
      mean_presence: sung.reduce((a, b) => a + b, 0) / Math.max(1, sung.length),
    },
    structure: { sections },
    drop_predictions: drops,
  };
}

const JITTER_SECONDS = 0.01;

/** The same with beats shaken by up to 10 ms and one section edge a bar later, as another run of an analysis might hear it. */
export function jittered(analysis: SongAnalysis): SongAnalysis {
  const chance = seededChance(hash(`${analysis.song_id} jitter`));
  const moved = new Map(analysis.beats.map((t) => [t, Math.max(0, t + JITTER_SECONDS * (2 * chance() - 1))] as const));
  const shaken = (t: number) => moved.get(t) ?? t;
  const { sections } = analysis.structure;
  const edge = 1 + Math.floor(chance() * Math.max(1, sections.length - 1));
  const bar = (60 / Math.max(30, analysis.tempo)) * analysis.grid.beats_per_bar;
  const later = Math.min((sections[edge]?.start ?? 0) + bar, (sections[edge]?.end ?? 0) - 0.1);
  return {
    ...analysis,
    beats: analysis.beats.map(shaken),
    downbeats: analysis.downbeats.map(shaken),
    structure: {
      sections: sections.map((section, i) => ({
        ...section,
        start: i === edge ? later : section.start,
        end: i + 1 === edge ? later : section.end,
      })),
    },
  };
}
