import type { Drop, Section, SongInsights } from "@followspot/contract";
import type { EngineName, GivenAnswers } from "../basics/given.ts";
import { clamp, mean, percentile, round } from "../basics/maths.ts";
import type { Activations, Head } from "../network/activations.ts";
import type { Bar } from "../pulse/bars.ts";
import type { BeatGrid } from "../pulse/grid.ts";
import type { Metre } from "../pulse/metre.ts";
import type { SongKey } from "./key.ts";

/** Findings of all stages, the input of the summary. */
export interface Findings {
  readonly grid: BeatGrid;
  readonly metre: Metre;
  readonly key: SongKey;
  readonly bars: readonly Bar[];
  readonly sections: readonly Section[];
  readonly drops: readonly Drop[];
  readonly loudness: number;
  readonly vocalPresence: number;
  /** Undefined for a silent song. */
  readonly heard: Activations | undefined;
  readonly warnings: readonly string[];
  readonly given: GivenAnswers;
  /** Engine of everything that no other engine has analyzed. */
  readonly builtIn: EngineName;
}

/** Highest confidence of a genre guessed by rules, which cannot determine it reliably. */
const GENRE_CEILING = 0.4;

/** Names of the network's instrument families, with the stem that contains them. */
const INSTRUMENTS = {
  drums: ["drums", "drums"],
  bass: ["bass", "bass"],
  piano: ["piano or keys", "other"],
  organ: ["organ", "other"],
  guitar: ["guitar", "other"],
  strings: ["strings", "other"],
  brass: ["brass", "other"],
  reed: ["woodwind or saxophone", "other"],
  lead: ["synth lead", "other"],
  pad: ["synth pad", "other"],
  mallet: ["mallets or plucks", "other"],
  vocal: ["vocals", "vocals"],
} as const satisfies Partial<Record<Head, readonly [string, string]>>;

/** Highest confidence of an instrument. The network was trained on soundfonts only, not on recordings. */
const INSTRUMENT_CEILING = 0.8;
/** Probability for a tenth of the song from which an instrument is listed. */
const NAMED_FROM = 0.5;
/** Largest ratio of tempos that counts as a small change. */
const SMALL_CHANGE = 1.1;

/** Summarizes the analysis in terms of the product. Every confidence is capped at what the method supports. */
export function concludeInsights(findings: Findings): SongInsights {
  const { grid, metre, key, given, builtIn } = findings;
  const instruments = given.tags ? given.tags.instruments : nameInstruments(findings.heard);
  return {
    genre_analysis: describeGenre(findings),
    instrument_detection: {
      instruments: [...instruments],
      confidence: instruments.length === 0 ? 0 : round(mean(instruments.map((i) => i.confidence)), 2),
    },
    key_info: {
      key: key.tonic,
      mode: key.scale,
      confidence: round(key.confidence, 2),
    },
    tempo_info: {
      bpm: round(grid.tempo, 2),
      confidence: round(grid.confidence, 2),
      stable: grid.stable,
    },
    pattern_reasoning: { ...explain(findings), ...given.refused },
    warnings: [...findings.warnings],
    engines: {
      beats: given.beats?.by ?? builtIn,
      key: builtIn,
      structure: builtIn,
      vocals: builtIn,
      tags: given.tags?.by ?? builtIn,
    },
  };

  function explain({ sections, drops }: Findings): Record<string, string> {
    if (grid.beats.length === 0) return { tempo: "No beat was found." };
    return {
      tempo: `${counted(grid.beats.length, "beat")} at about ${Math.round(grid.tempo)} BPM, ${tempoWords(grid)}.`,
      metre: `Bars of ${metre.beatsPerBar} beats.`,
      key: key.name === "" ? "No key stands out." : `${key.name} fits the notes best.`,
      structure: `${counted(sections.length, "section")}: ${sections.map((s) => s.label).join(", ")}.`,
      drops:
        drops.length === 0
          ? "Nothing in the song works like a drop."
          : `${counted(drops.length, "moment")} of release.`,
    };
  }
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Returns the genre of another engine, otherwise a guess by rules, and describes the sound. */
function describeGenre(findings: Findings): SongInsights["genre_analysis"] {
  const { loudness, vocalPresence, given } = findings;
  const [name, confidence] = guessGenre(findings);
  const [first, ...others] = given.tags?.genres ?? [];
  return {
    primary_genre: first?.name ?? name,
    sub_genres: others.map((genre) => genre.name),
    confidence: round(first?.confidence ?? clamp(confidence, 0, GENRE_CEILING), 2),
    characteristics: {
      dynamics: loudness > -10 ? "loud and dense" : loudness > -16 ? "moderate" : "open and dynamic",
      vocals: vocalPresence > 0.3 ? "likely" : vocalPresence > 0.12 ? "possible" : "not evident",
    },
  };
}

function guessGenre({ grid, drops, bars, loudness }: Findings): readonly [string, number] {
  const dance = drops.filter((d) => d.type === "drop").length;
  const tempo = grid.tempo;
  const density = mean(bars.map((b) => b.density));
  if (grid.beats.length === 0) return ["", 0];
  if (dance > 0 && tempo >= 160) return ["drum and bass", 0.4];
  if (dance > 0 && tempo >= 132) return ["trance", 0.35];
  if (dance > 0 && tempo >= 112) return ["house", 0.4];
  if (dance > 0) return ["electronic", 0.35];
  if (tempo < 80 && loudness < -13) return ["ballad", 0.25];
  if (tempo < 100 && density > 0) return ["hip hop", 0.2];
  return loudness > -13 ? ["rock", 0.2] : ["pop", 0.2];
}

/** Returns the instruments that are certain for at least a tenth of the song, most certain first. */
function nameInstruments(heard: Activations | undefined): SongInsights["instrument_detection"]["instruments"] {
  if (!heard) return [];
  return (Object.keys(INSTRUMENTS) as (keyof typeof INSTRUMENTS)[])
    .map((family) => {
      const [name, stem] = INSTRUMENTS[family];
      const sure = percentile(heard[family], 0.9);
      return { name, confidence: round(Math.min(INSTRUMENT_CEILING, sure), 2), stems: [stem], sure };
    })
    .filter(({ sure }) => sure >= NAMED_FROM)
    .sort((a, b) => b.sure - a.sure)
    .map(({ name, confidence, stems }) => ({ name, confidence, stems: [...stems] }));
}

function tempoWords({ stable, tempoCurve }: BeatGrid): string {
  if (stable) return "steady";
  const speeds = tempoCurve.map(({ bpm }) => Math.round(bpm));
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)];
  return fastest > slowest * SMALL_CHANGE ? `between ${slowest} and ${fastest}` : "with small changes of tempo";
}
