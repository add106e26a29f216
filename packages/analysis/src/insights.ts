import type { Drop, Section, SongInsights } from "@followspot/contract";
import type { Bar } from "./bars.ts";
import type { BeatGrid } from "./grid.ts";
import type { SongKey } from "./key.ts";
import { clamp, mean, round } from "./maths.ts";
import type { Metre } from "./metre.ts";

/** What the stages found, put before a person. */
export interface Findings {
  readonly grid: BeatGrid;
  readonly tempoConfidence: number;
  readonly metre: Metre;
  readonly key: SongKey;
  readonly bars: readonly Bar[];
  readonly sections: readonly Section[];
  readonly drops: readonly Drop[];
  readonly loudness: number;
  readonly vocalPresence: number;
  readonly warnings: readonly string[];
  readonly engine: { readonly engine: string; readonly version: string };
}

/** Rules cannot know a genre; no guess of theirs may claim more than this. */
const GENRE_CEILING = 0.4;

/** Sum up the analysis in the words of the product; every confidence is capped at what rules can know. */
export function concludeInsights(findings: Findings): SongInsights {
  const { grid, metre, key, engine } = findings;
  const genre = guessGenre(findings);
  const instruments = guessInstruments(findings);
  return {
    genre_analysis: genre,
    instrument_detection: {
      instruments,
      confidence: instruments.length === 0 ? 0 : round(mean(instruments.map((i) => i.confidence)), 2),
    },
    key_info: {
      key: key.tonic,
      mode: key.scale,
      confidence: round(key.confidence, 2),
    },
    tempo_info: {
      bpm: round(grid.tempo, 2),
      confidence: round(findings.tempoConfidence, 2),
      stable: grid.stable,
    },
    pattern_reasoning: explain(findings),
    warnings: [...findings.warnings],
    engines: { beats: engine, key: engine, structure: engine, vocals: engine, tags: engine },
  };

  function explain({ sections, drops }: Findings): Record<string, string> {
    if (grid.beats.length === 0) return { tempo: "No beat was found." };
    return {
      tempo: `${grid.beats.length} beats at about ${Math.round(grid.tempo)} BPM, ${grid.stable ? "steady" : "with small changes of tempo"}.`,
      metre: `Bars of ${metre.beatsPerBar} beats.`,
      key: key.name === "" ? "No key stands out." : `${key.name} fits the notes best.`,
      structure: `${sections.length} sections: ${sections.map((s) => s.label).join(", ")}.`,
      drops: drops.length === 0 ? "Nothing in the song works like a drop." : `${drops.length} moments of release.`,
    };
  }
}

function guessGenre({ grid, drops, bars, vocalPresence, loudness }: Findings): SongInsights["genre_analysis"] {
  const dance = drops.filter((d) => d.type === "drop").length;
  const tempo = grid.tempo;
  const density = mean(bars.map((b) => b.density));
  const guess = ((): [string, number] => {
    if (grid.beats.length === 0) return ["", 0];
    if (dance > 0 && tempo >= 160) return ["drum and bass", 0.4];
    if (dance > 0 && tempo >= 132) return ["trance", 0.35];
    if (dance > 0 && tempo >= 112) return ["house", 0.4];
    if (dance > 0) return ["electronic", 0.35];
    if (tempo < 80 && loudness < -13) return ["ballad", 0.25];
    if (tempo < 100 && density > 0) return ["hip hop", 0.2];
    return loudness > -13 ? ["rock", 0.2] : ["pop", 0.2];
  })();
  return {
    primary_genre: guess[0],
    sub_genres: [],
    confidence: round(clamp(guess[1], 0, GENRE_CEILING), 2),
    characteristics: {
      dynamics: loudness > -10 ? "loud and dense" : loudness > -16 ? "moderate" : "open and dynamic",
      vocals: vocalPresence > 0.4 ? "likely" : vocalPresence > 0.25 ? "possible" : "not evident",
    },
  };
}

function guessInstruments({
  bars,
  vocalPresence,
  grid,
}: Findings): SongInsights["instrument_detection"]["instruments"] {
  const found: { name: string; confidence: number; stems: string[] }[] = [];
  if (bars.length === 0 || grid.beats.length === 0) return found;
  const drums = clamp(mean(bars.map((b) => b.density)));
  if (drums > 0.3) found.push({ name: "drums", confidence: round(Math.min(0.6, drums), 2), stems: ["drums"] });
  const bass = clamp(mean(bars.map((b) => b.bass)));
  if (bass > 0.3) found.push({ name: "bass", confidence: round(Math.min(0.5, bass), 2), stems: ["bass"] });
  if (vocalPresence > 0.25)
    found.push({
      name: "vocals",
      confidence: round(Math.min(0.5, vocalPresence), 2),
      stems: ["vocals"],
    });
  return found;
}
