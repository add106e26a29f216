/** A score of the evaluation set as sound: the whole song, or stem by stem. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StemName } from "../../../packages/analysis/src/index.ts";
import type { Style } from "./genres.ts";
import { midiFile } from "./midi-file.ts";
import type { Note, Score } from "./score.ts";
import { mixInto, playSynth, RATE, silence, sing, type Stereo } from "./synth.ts";

const FLUIDSYNTH = "fluidsynth";
const SOUND_FONTS = ["/usr/share/sounds/sf3/MuseScore_General.sf3", "/usr/share/sounds/sf3/MuseScore_General_Full.sf3"];

/** Whether FluidSynth and a sound font are installed. */
export function canPlayBands(): boolean {
  return soundFont() !== undefined && spawnSync(FLUIDSYNTH, ["--version"], { stdio: "ignore" }).error === undefined;
}

function soundFont(): string | undefined {
  return SOUND_FONTS.find((path) => existsSync(path));
}

/**
 * Play a song with its own synthesiser or, a band, with a sound font, and let it be sung.
 * @param folder for files in passing
 */
export function performSong(score: Score, style: Style, folder: string): Stereo {
  return master(render(score, style, folder));
}

function render(score: Score, style: Style, folder: string): Stereo {
  const mix = silence(score.seconds);
  if (style.sound === "synth") mixInto(mix, playSynth(score, style));
  else mixInto(mix, playBand(score, style, folder), BAND_GAIN);
  if (isSung(score)) mixInto(mix, sing(score), VOICE_GAIN);
  return mix;
}

/**
 * A song of the set as drums, bass, vocals and other that add up to `performSong`, each as the limiter leaves it.
 * @param folder for files in passing
 */
export function performStems(score: Score, style: Style, folder: string): Record<StemName, Stereo> {
  const isBass = ({ player }: Note) => player === "bass" && !LOW_BUT_NO_BASS.has(style.programs?.bass ?? 33);
  const drums = { ...score, notes: [], risers: [] };
  const bass = { ...score, notes: score.notes.filter(isBass), risers: [] };
  const other = { ...score, notes: score.notes.filter((note) => !isBass(note)) };
  const stems = {
    drums: silence(score.seconds),
    bass: silence(score.seconds),
    vocals: silence(score.seconds),
    other: silence(score.seconds),
  };
  if (style.sound === "synth") {
    const struck = playSynth(drums, style);
    mixInto(stems.drums, struck);
    // The kick pumps what it does not sound in, so it plays along and is taken out again.
    for (const [stem, part] of [
      ["bass", bass],
      ["other", other],
    ] as const) {
      mixInto(stems[stem], playSynth(part, style));
      mixInto(stems[stem], struck, -1);
    }
  } else {
    mixInto(stems.drums, playBand(drums, style, folder), BAND_GAIN);
    mixInto(stems.bass, playBand({ ...bass, hits: [] }, style, folder), BAND_GAIN);
    mixInto(stems.other, playBand({ ...other, hits: [] }, style, folder), BAND_GAIN);
  }
  if (isSung(score)) mixInto(stems.vocals, sing(score), VOICE_GAIN);
  return masterTogether(stems);
}

const BAND_GAIN = 1.4;
const VOICE_GAIN = 0.8;

/** General MIDI programs of a piano's left hand and of the quartet's cello: the bass line, but no bass player's. */
const LOW_BUT_NO_BASS: ReadonlySet<number> = new Set([0, 42]);

function isSung(score: Score): boolean {
  return score.notes.some((note) => note.player === "voice" || note.player === "choir");
}

function playBand(score: Score, style: Style, folder: string): Stereo {
  const midi = join(folder, "band.mid");
  writeFileSync(midi, midiFile(score, style));
  const sound = playMidi(midi, folder);
  rmSync(midi);
  return sound;
}

/** After its MIDI time a note has risen to a tenth of its peak: measured 2–4 ms for a hat, 4–5 kick, 5–6 rim shot. */
export const PLAYING_DELAY_SECONDS = 0.004;

/**
 * A MIDI file played by the sound font.
 * @param folder for files in passing
 */
export function playMidi(midi: string, folder: string): Stereo {
  const raw = join(folder, "band.raw");
  const options = ["-ni", "-q", "-g", "0.7", "-r", String(RATE), "-T", "raw", "-O", "s16", "-E", "little", "-F", raw];
  const run = spawnSync(FLUIDSYNTH, [...options, soundFont()!, midi], { stdio: ["ignore", "ignore", "pipe"] });
  if (run.status !== 0) throw new Error(`fluidsynth failed on ${midi}: ${String(run.stderr)}`);
  const bytes = readFileSync(raw);
  rmSync(raw);
  const samples = Math.floor(bytes.length / 4);
  const sound = { left: new Float32Array(samples), right: new Float32Array(samples) };
  for (let i = 0; i < samples; i++) {
    sound.left[i] = bytes.readInt16LE(4 * i) / 32_768;
    sound.right[i] = bytes.readInt16LE(4 * i + 2) / 32_768;
  }
  return sound;
}

/** Loud as released music is: gain, soft limit, peak at -1 dBFS. */
export function master({ left, right }: Stereo): Stereo {
  let power = 0;
  for (let i = 0; i < left.length; i++) power += (left[i]! ** 2 + right[i]! ** 2) / 2;
  const gain = 0.2 / (Math.sqrt(power / left.length) + 1e-9);
  const press = (samples: Float32Array) => samples.map((v) => 0.89 * Math.tanh(gain * v));
  return { left: press(left), right: press(right) };
}

/** Each stem turned down as the limiter turns the mix down at that moment, so that they add up to the master. */
function masterTogether(stems: Record<StemName, Stereo>): Record<StemName, Stereo> {
  const mix = silence(stems.drums.left.length / RATE);
  for (const stem of Object.values(stems)) mixInto(mix, stem);
  const loud = master(mix);
  for (const side of ["left", "right"] as const) {
    for (let i = 0; i < mix[side].length; i++) {
      const gain = Math.abs(mix[side][i]!) > 1e-6 ? loud[side][i]! / mix[side][i]! : 0;
      for (const stem of Object.values(stems)) stem[side][i]! *= gain;
    }
  }
  return stems;
}
